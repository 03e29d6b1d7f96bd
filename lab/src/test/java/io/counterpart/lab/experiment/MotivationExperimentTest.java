package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Source;
import io.counterpart.lab.workload.ClientShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class MotivationExperimentTest {
  private static final int ROWS = 1000;
  private static final int VALUE_BYTES = 1000;

  @Test
  void write_amplification_counts_everything_since_the_first_load() {
    List<BlockResult> blocks = new ArrayList<>();
    for (int size = 1; size <= 3; size++) {
      blocks.add(load("lcs", size, 3 * ROWS * VALUE_BYTES, 0));
      blocks.add(drain("lcs", size, (long) size * ROWS * VALUE_BYTES));
    }

    // 3 flushed each time; 1, 2 and 3 compacted
    assertThat(line(blocks, "motivation.writes_by_size", "measured, RF 3"))
        .containsExactly(
            new Series.Point(ROWS, 4),
            new Series.Point(2 * ROWS, 4.5),
            new Series.Point(3 * ROWS, 5));
    assertThat(line(blocks, "motivation.writes_by_rf", "measured, 3,000 rows"))
        .containsExactly(new Series.Point(3, 5));
  }

  @Test
  void read_amplification_is_the_median_block_in_bytes_and_in_sstables() {
    List<BlockResult> blocks = new ArrayList<>();
    for (int size = 1; size <= 3; size++) {
      blocks.add(load("lcs_rf1", size, 0, 0));
      blocks.add(drain("lcs_rf1", size, 0));
      blocks.add(read("lcs_rf1", size, 0, 40, 1));
      blocks.add(read("lcs_rf1", size, 1, 20, 3));
      blocks.add(read("lcs_rf1", size, 2, 10, 2));
    }

    assertThat(line(blocks, "motivation.reads_by_size", "measured, RF 1"))
        .extracting(Series.Point::y)
        .containsExactly(20.0, 20.0, 20.0);
    assertThat(line(blocks, "motivation.sstables_by_rf", "measured, 3,000 rows"))
        .containsExactly(new Series.Point(1, 2));
  }

  @Test
  void the_model_says_what_its_documentation_has() {
    List<Series> all = curves(List.of());

    assertThat(all.stream().map(Series::id).distinct())
        .containsExactly(
            "motivation.writes_by_rf",
            "motivation.writes_by_keys",
            "motivation.writes_rf3_to_rf1",
            "motivation.reads_by_rf",
            "motivation.sstables_by_rf",
            "motivation.sstables_by_keys");
    assertThat(all).extracting(Series::source).containsOnly(Source.MODEL, Source.PAPER);
    List<Series.Point> keeping =
        line(
            all,
            series -> series.line().equals("model, 300 M keys, compaction keeps up"),
            "motivation.writes_by_rf");
    assertThat(keeping.get(0).y()).isEqualTo(13.7, within(0.05));
    assertThat(keeping.get(2).y()).isEqualTo(50.9, within(0.05));
    List<Series.Point> lagging =
        line(
            all,
            series -> series.line().equals("model, compaction lags"),
            "motivation.writes_rf3_to_rf1");
    assertThat(lagging).extracting(Series.Point::x).containsExactly(100.0, 300.0, 600.0);
    assertThat(lagging.get(0).y()).isEqualTo(3.2, within(0.05));
    assertThat(lagging.get(2).y()).isEqualTo(3.0, within(0.05));
  }

  private static List<Series.Point> line(List<BlockResult> blocks, String id, String name) {
    // without the model, which takes seconds
    return line(
        new MeasuredAmplification(
                blocks, MotivationExperiment.FACTORS, 3, ClientShape.PAPER.valueBytes())
            .series(),
        series -> series.source() == Source.MEASURED && series.line().equals(name),
        id);
  }

  private static List<Series.Point> line(List<Series> all, Predicate<Series> wanted, String id) {
    return all.stream()
        .filter(series -> series.id().equals(id))
        .filter(wanted)
        .findFirst()
        .orElseThrow()
        .points();
  }

  private static List<Series> curves(List<BlockResult> blocks) {
    return MotivationExperiment.motivation(LabScale.SMOKE).curves().of(blocks, ClientShape.PAPER);
  }

  private static BlockResult load(String table, int size, long flushed, long compacted) {
    return block(table, "load_" + size, 0, ROWS, cost(0, flushed, compacted, 0));
  }

  private static BlockResult drain(String table, int size, long compacted) {
    return block(table, "drain_" + size, 0, 0, cost(0, 0, compacted, 0));
  }

  private static BlockResult read(
      String table, int size, int repeat, int timesUserBytes, double sstables) {
    long fromDisk = 100L * VALUE_BYTES * timesUserBytes;
    return block(table, "read_" + size, repeat, 100, cost(fromDisk, 0, 0, sstables));
  }

  private static BlockResult block(
      String table, String phase, int repeat, long operations, NodeCost cost) {
    return new BlockResult(table, phase, repeat, operations, 0, 1, Map.of(), cost);
  }

  private static NodeCost cost(long fromDisk, long flushed, long compacted, double sstables) {
    return new NodeCost(0, fromDisk, 0, flushed, compacted, sstables, 0, Map.of(), 0);
  }
}
