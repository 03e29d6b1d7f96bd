package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.experiment.FiguresOf;
import io.counterpart.lab.stats.Interval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultJsonTest {
  private final ResultJson json = new ResultJson();

  @Test
  void has_the_documented_schema() throws IOException {
    JsonNode tree = new ObjectMapper().readTree(json.render(result()));

    JsonNode figure = tree.get("figures").get(0);
    assertThat(figure.get("id").asText()).isEqualTo("dec.compaction_vs_lcs");
    assertThat(figure.get("measured").asDouble()).isEqualTo(0.3);
    assertThat(figure.get("low").asDouble()).isEqualTo(0.2);
    assertThat(figure.get("high").asDouble()).isEqualTo(0.4);
    JsonNode arm = tree.get("arms").get("lcs");
    for (String field :
        List.of(
            "bytesFlushed",
            "bytesCompacted",
            "cpuSeconds",
            "writeOpsPerSecond",
            "sstablesPerReadMean",
            "diskBytes",
            "memtableBytesMean",
            "recoverySeconds",
            "zeroCopyFraction")) {
      assertThat(arm.get(field).isNumber()).as(field).isTrue();
    }
    assertThat(tree.get("lost").asLong()).isEqualTo(1);
    assertThat(tree.get("wrong").asLong()).isEqualTo(2);
    assertThat(tree.get("config").get("seed").asLong()).isEqualTo(7);
  }

  @Test
  void reads_back_what_it_wrote(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("deep/result.json");

    json.write(file, result());

    assertThat(json.read(file, BenchResult.class)).isEqualTo(result());
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void median_is_the_middle_and_needs_values() {
    assertThat(Interval.ofExtremes(3, 1, 2)).isEqualTo(new Interval(2, 1, 3));
    assertThat(Interval.ofExtremes(4, 1, 2, 3).median()).isEqualTo(2.5);
    assertThatThrownBy(() -> Interval.ofExtremes()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void arm_medians_are_taken_figure_by_figure() {
    ArmFigures median =
        ArmFigures.median(
            List.of(
                FiguresOf.compaction(1, 30),
                FiguresOf.compaction(2, 10),
                FiguresOf.compaction(3, 20)));

    assertThat(median.bytesCompacted()).isEqualTo(2);
    assertThat(median.sstablesPerReadMean()).isEqualTo(20);
  }

  private static BenchResult result() {
    return new BenchResult(
        List.of(new Figure("dec.compaction_vs_lcs", 0.3, 0.2, 0.4, "0.48", "<= 0.33", true, "")),
        Map.of("lcs", FiguresOf.compaction(1, 2)),
        1,
        2,
        Map.of("seed", 7),
        0,
        List.of(Map.of("lcs", FiguresOf.compaction(1, 2))),
        9);
  }
}
