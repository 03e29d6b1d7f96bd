package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.bench.FiguresOf;
import io.counterpart.lab.stats.Interval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultJsonTest {
  private final ResultJson json = new ResultJson();

  @Test
  void has_the_documented_schema() throws IOException {
    JsonNode tree = new ObjectMapper().readTree(json.render(result()));

    JsonNode figure = tree.get("figures").get(0);
    assertThat(figure.get("id").asText()).isEqualTo("f");
    assertThat(figure.get("measured").asDouble()).isEqualTo(2);
    assertThat(figure.get("low").asDouble()).isEqualTo(1.5);
    assertThat(figure.get("high").asDouble()).isEqualTo(2.5);
    assertThat(tree.get("lost").asLong()).isZero();
    assertThat(tree.get("config").get("seed").asLong()).isEqualTo(1);
  }

  @Test
  void reads_back_what_it_wrote(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("deep/result.json");

    json.write(file, result());

    assertThat(json.read(file, LabResult.class)).isEqualTo(result());
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void publishes_all_but_samples_and_histograms(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("published.json");

    json.publish(file, result());

    assertThat(json.read(file, LabResult.class)).isEqualTo(result().published());
    assertThat(Files.readString(file)).doesNotContain("histogram", "samples", "\"lost\"");
    assertThat(result().published().figures()).isEqualTo(result().figures());
    LatencySummary whole = result().blocks().get(0).latencies().get("read");
    LatencySummary published = result().published().blocks().get(0).latencies().get("read");
    assertThat(published.p99Micros()).isEqualTo(whole.p99Micros());
    assertThat(published.decode().getTotalCount()).isZero();
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

  private static LabResult result() {
    return LabResultOf.blocks(2, 200, 1);
  }
}
