package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimeByPartTest {
  @Test
  void is_time_per_operation_over_all_blocks_of_a_phase() {
    List<TimeByPart> times =
        TimeByPart.of(
            List.of(
                block("lcs", "read", 1000, Map.of("data", 0.3)),
                block("lcs", "read", 3000, Map.of("data", 0.5, "index", 0.4))));

    assertThat(times).hasSize(1);
    TimeByPart read = times.get(0);
    assertThat(read.unit()).isEqualTo("µs per operation");
    assertThat(read.parts().get("data")).isEqualTo(200, within(1e-9));
    assertThat(read.parts().get("index")).isEqualTo(100, within(1e-9));
    assertThat(read.total()).isEqualTo(300, within(1e-9));
    assertThat(read.cpu()).isEqualTo(1e6 * 2 / 4000, within(1e-9));
  }

  @Test
  void a_drain_finishes_the_work_of_the_phase_before_it() {
    List<TimeByPart> times =
        TimeByPart.of(
            List.of(
                block("lcs", "load", 1000, Map.of("flush", 1.0)),
                block("ours", "load", 1000, Map.of("flush", 1.0)),
                block("lcs", "drain", 0, Map.of("compaction", 2.0)),
                block("ours", "drain", 0, Map.of("compaction", 1.0))));

    assertThat(times).extracting(TimeByPart::phase).containsExactly("load", "load");
    assertThat(times.get(0).parts().get("compaction")).isEqualTo(2000, within(1e-9));
    assertThat(times.get(1).parts().get("compaction")).isEqualTo(1000, within(1e-9));
  }

  @Test
  void without_operations_it_is_seconds() {
    TimeByPart repair =
        TimeByPart.of(
                List.of(
                    block("lcs", "load", 1000, Map.of()),
                    block("lcs", "repair", 0, Map.of("stream", 4.0))))
            .get(0);

    assertThat(repair.phase()).isEqualTo("repair");
    assertThat(repair.unit()).isEqualTo("s");
    assertThat(repair.total()).isEqualTo(4, within(1e-9));
  }

  @Test
  void blocks_whose_time_was_not_taken_apart_say_nothing() {
    assertThat(TimeByPart.of(List.of(block("lcs", "load", 1, Map.of())))).isEmpty();
  }

  private static BlockResult block(
      String arm, String phase, long operations, Map<String, Double> breakdown) {
    return new BlockResult(
            arm,
            phase,
            0,
            operations,
            0,
            1,
            Map.of(),
            new NodeCost(1, 0, 0, 0, 0, 0, 0, Map.of(), 0))
        .withBreakdown(breakdown);
  }
}
