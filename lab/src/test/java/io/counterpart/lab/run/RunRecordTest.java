package io.counterpart.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.setup.Progress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunRecordTest {
  private final RunRecord record =
      new RunRecord(
          LabPlan.of(Experiments.named("depart-exp2", LabScale.SMOKE), LabScale.SMOKE.label(), 7));

  @Test
  void a_run_that_breaks_off_keeps_its_blocks_and_says_so() {
    record.describe(Map.of("seed", 7L));
    record.add(block("lcs", 100));
    record.add(block("decoupled_t4+pf", 250));

    LabResult part = record.brokenOff("stopped from outside");

    assertThat(part.blocks()).hasSize(2);
    assertThat(part.figures()).extracting("measured").isEqualTo(List.of(2.5));
    assertThat(part.clean()).isFalse();
    assertThat(part.brokenOff().orElseThrow())
        .startsWith("stopped from outside, after 2 of ")
        .endsWith(" blocks");
    assertThat(record.result().brokenOff()).isEmpty();
    assertThat(record.result().clean()).isTrue();
  }

  @Test
  void adds_up_what_stages_found_and_described() {
    record.add(new CheckOutcome(10, 1, 0, 0, List.of()));
    record.add(new CheckOutcome(5, 0, 0, 2, List.of()));
    record.describe("regimes", Map.of("read", "a"));
    record.describe("regimes", Map.of("scan", "b"));

    LabResult result = record.result();

    assertThat(result.checked()).isEqualTo(15);
    assertThat(result.lost()).isEqualTo(1);
    assertThat(result.unread()).isEqualTo(2);
    assertThat(result.config()).containsEntry("regimes", Map.of("read", "a", "scan", "b"));
  }

  @Test
  void a_step_tells_how_much_is_left() {
    CountedProgress none = new CountedProgress(Progress.silent(), 40, () -> 0);
    CountedProgress some = new CountedProgress(Progress.silent(), 40, () -> 10);
    CountedProgress all = new CountedProgress(Progress.silent(), 40, () -> 40);

    assertThat(none.rest(1)).isEmpty();
    assertThat(some.rest(120_000_000_000L)).isEqualTo(" (10 of 40 blocks, about 6 min left)");
    assertThat(some.rest(2_000_000_000L)).isEqualTo(" (10 of 40 blocks, about 6 s left)");
    assertThat(all.rest(1)).isEmpty();
  }

  private static BlockResult block(String arm, long operations) {
    return new BlockResult(
        arm,
        "read_22",
        0,
        operations,
        0,
        1,
        Map.of(),
        new NodeCost(1, 0, 0, 0, 0, 1, 0, Map.of(), 0));
  }
}
