package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.runs.Tiered;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The directions that DEPART reports; absolute figures are compared in docs/SIMULATOR.md. */
class PaperTrendsTest {
  private static final Layout UNIFORM = new Layout.Uniform(Layout.Tree.LCS);
  private static final Layout MLSM = new Layout.MultipleTrees(Layout.Tree.LCS);
  private static final List<Integer> ORDERING = List.of(1, 10, 20, RunPolicy.UNLIMITED);
  // a node that compacts 8 bytes while it flushes one, which leaves LCS behind as in the paper
  private static final double LAGGING = 8;

  /** Write amplification of {@link #UNIFORM}: the tests of figure 2 ask for the same. */
  private static final Map<List<Long>, Double> UNIFORM_WRITES = new ConcurrentHashMap<>();

  @Test
  void figure_2_write_amplification_grows_faster_than_the_replication_factor() {
    for (long keys : List.of(100L, 300L, 600L)) {
      double none = uniform(keys, 1);
      double twice = uniform(keys, 2);
      double thrice = uniform(keys, 3);

      assertThat(twice / none).as("%d M keys, RF 2", keys).isGreaterThan(2.1);
      assertThat(thrice / none).as("%d M keys, RF 3", keys).isGreaterThan(3.3);
    }
  }

  @Test
  void figure_2_write_amplification_grows_with_the_data() {
    for (int rf = 1; rf <= 3; rf++) {
      double small = uniform(100, rf);
      double middle = uniform(300, rf);
      double large = uniform(600, rf);

      assertThat(List.of(small, middle, large)).as("RF %d", rf).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void exp_1_several_trees_save_a_fifth_and_decoupling_more_than_half() {
    Simulation exp1 = simulation(200, 3, Storage.UNLIMITED);
    double uniform = exp1.run(UNIFORM).compactedBytes();

    assertThat(exp1.run(MLSM).compactedBytes() / uniform).isCloseTo(0.79, within(0.04));
    assertThat(exp1.run(decoupled(20)).compactedBytes() / uniform).isBetween(0.25, 0.5);
  }

  @Test
  void table_1_writes_get_cheaper_and_reads_dearer_with_s() {
    Simulation table1 = simulation(300, 3, Storage.UNLIMITED);

    List<LayoutCost> costs = ORDERING.stream().map(s -> table1.run(decoupled(s))).toList();

    assertThat(costs.stream().map(c -> -c.writeAmplification()).toList())
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(costs.stream().map(c -> c.redundantRead().checked()).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void table_1_uniform_writes_lie_between_s_1_and_s_10() {
    Simulation table1 = simulation(300, 3, Storage.UNLIMITED);
    LayoutCost uniform = table1.run(UNIFORM);

    assertThat(table1.run(decoupled(1)).writeThroughputVersus(uniform)).isLessThan(1);
    assertThat(table1.run(decoupled(10)).writeThroughputVersus(uniform)).isGreaterThan(1.5);
  }

  @Test
  void table_1_uniform_reads_lie_between_s_20_and_unlimited_when_compaction_lags() {
    Simulation table1 = simulation(600, 3, LAGGING);
    LayoutCost uniform = table1.run(UNIFORM);

    assertThat(table1.run(decoupled(20)).readThroughputVersus(uniform, 2)).isGreaterThan(1);
    assertThat(table1.run(decoupled(RunPolicy.UNLIMITED)).readThroughputVersus(uniform, 2))
        .isLessThan(1);
  }

  @Test
  void exp_1_decoupling_gains_writes_and_reads_when_compaction_lags() {
    Simulation exp1 = simulation(200, 3, LAGGING);
    LayoutCost uniform = exp1.run(UNIFORM);
    LayoutCost decoupled = exp1.run(decoupled(20));

    assertThat(decoupled.writeThroughputVersus(uniform)).isCloseTo(1.43, within(0.15));
    assertThat(decoupled.readThroughputVersus(uniform, 1)).isGreaterThan(2);
  }

  @Test
  void tiered_never_writes_more_than_merge_all_and_keeps_the_bound() {
    BatchPolicy splits = new BatchPolicy(20, 20, 0, Duration.ofDays(1));
    Simulation simulation = simulation(600, 3, Storage.UNLIMITED);
    for (int s : List.of(3, 10, 20)) {
      LayoutCost all = simulation.run(decoupled(s));
      LayoutCost tiered =
          simulation.run(
              new Layout.Decoupled(Layout.Tree.LCS, Optional.empty(), splits, new Tiered(s)));

      assertThat(tiered.mergeBytes()).as("S %d", s).isLessThan(all.mergeBytes());
      // S runs, and at most 19 segments that wait for a split
      assertThat(tiered.redundantRead().covering()).as("S %d", s).isLessThan(s + 20);
    }
  }

  @Test
  void six_hundred_million_keys_take_seconds() {
    // of the processor: others may have it meanwhile
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();

    Stream.of(UNIFORM, MLSM, decoupled(20)).forEach(simulation(600, 3, Storage.UNLIMITED)::run);

    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start))
        .isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void updates_leave_stale_versions_that_merges_reclaim() {
    Workload updated = new Workload(50_000_000, 100_000_000, 1024, 0.99);
    Simulation simulation = new Simulation(new Cluster(5, 256, 3), updated, Storage.ofThePaper());
    double live = 50_000_000.0 * 1024 * 3;

    LayoutCost sorted = simulation.run(decoupled(1));
    LayoutCost appended = simulation.run(decoupled(RunPolicy.UNLIMITED));

    assertThat(sorted.diskBytes()).isGreaterThanOrEqualTo(live * 0.99);
    assertThat(appended.diskBytes()).isGreaterThan(sorted.diskBytes());
  }

  private static double uniform(long millionKeys, int rf) {
    return UNIFORM_WRITES.computeIfAbsent(
        List.of(millionKeys, (long) rf),
        unused -> simulation(millionKeys, rf, Storage.UNLIMITED).run(UNIFORM).writeAmplification());
  }

  private static Simulation simulation(long millionKeys, int rf, double compactionRate) {
    Storage storage = new Storage(160L << 20, 160L << 20, Storage.Memtables.OWN, compactionRate);
    Workload workload = new Workload(millionKeys * 1_000_000, 0, 1024, 0.99);
    return new Simulation(new Cluster(5, 256, rf), workload, storage);
  }

  private static Layout decoupled(int runs) {
    BatchPolicy splits = new BatchPolicy(20, 20, 0, Duration.ofDays(1));
    return new Layout.Decoupled(Layout.Tree.LCS, Optional.empty(), splits, new MergeAll(runs));
  }
}
