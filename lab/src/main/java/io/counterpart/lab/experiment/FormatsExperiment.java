package io.counterpart.lab.experiment;

import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.RecoveryArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Formats by role: small redundant copies, quickly read primary ones, beside the same formats for
 * all copies. Goes beyond the paper.
 *
 * <p>Three rounds write a third of the data each, table after table. All arms have the same bytes
 * of page cache, a share of the stock table's: a smaller table may then cache more of its rows.
 */
public final class FormatsExperiment {
  /** Name of the experiment. */
  public static final String NAME = "formats";

  private static final String WRITE = "write";
  private static final String RECOVER = "recover";
  private static final String READ = "read";
  private static final String COLD = "read_cold";
  private static final String REDUNDANT = "read_redundant";
  private static final String DOWN = "read_down";
  private static final int ROUNDS = 3;
  private static final int CRASHED = 3;
  private static final int FILLS = 3;
  // twice the decoupling bench's: a sixth of the stock table's bytes is then the least page cache
  private static final int SMALL_ROWS = 600_000;
  private static final int UPDATE_DIVISOR = 3;
  private static final int COLD_READ_DIVISOR = 300;
  // a fifth of what two cores can do: a local read shall not wait for a core
  private static final int REDUNDANT_READS_PER_SECOND = 1000;
  // a third of the data holds every primary copy, and the disk would not be the limit
  private static final Regime SMALL_CACHE =
      new Regime(1 / 6.0, Plans.SLOW_DISK.readsPerSecond()).withSameCache();
  // compressed rows of the first round make the runs of a divided table
  private static final int ROWS_PER_RUN_ROW = 4;

  private FormatsExperiment() {}

  static Experiment formats(LabScale scale) {
    int rows = scale == LabScale.SMALL ? SMALL_ROWS : scale.rows();
    LabTable formats = table(Arm.FORMATS, rows);
    LabTable plain = table(Arm.DECOUPLED_T4, rows);
    ExperimentArm formatsFirst = new ExperimentArm(formats, Routing.PRIMARY_FIRST);
    ExperimentArm plainFirst = new ExperimentArm(plain, Routing.PRIMARY_FIRST);
    ExperimentArm formatsRedundant = new ExperimentArm(formats, Routing.REDUNDANT);
    ExperimentArm plainRedundant = new ExperimentArm(plain, Routing.REDUNDANT);
    List<ExperimentArm> arms = new ArrayList<>();
    for (String stock : List.of(Arm.UCS_T4, Arm.UCS_T4_4K, Arm.UCS_T4_ZSTD, Arm.LCS)) {
      arms.add(new ExperimentArm(table(stock, rows), Routing.STOCK));
    }
    arms.addAll(List.of(plainFirst, formatsFirst, plainRedundant, formatsRedundant));
    List<ExperimentArm> byRank =
        Plans.withRank(scale, List.of(), LabCluster.REPLICATION_FACTOR, rows / ROWS_PER_RUN_ROW);
    arms.addAll(byRank);
    String own = formatsFirst.name();
    String peer = plainFirst.name();
    List<Step> steps =
        List.of(
            new Step.Rounds(WRITE, rows, rows / UPDATE_DIVISOR, repeats(scale)),
            reads(scale, READ, with(byRank, Arm.UCS_T4, Arm.UCS_T4_ZSTD, peer, own)),
            new Step.ColdReads(
                COLD,
                with(byRank, Arm.UCS_T4, Arm.UCS_T4_4K, Arm.UCS_T4_ZSTD, peer, own),
                Math.max(scale.operations() / 10, rows / COLD_READ_DIVISOR),
                scale.repeats()),
            new Step.Blocks(
                    REDUNDANT,
                    OperationMix.READS,
                    Plans.ONE_ONE,
                    new Repetition(2 * scale.operations(), 0, 2, repeats(scale)),
                    Regime.UNLIMITED)
                .on(List.of(plainRedundant.name(), formatsRedundant.name()))
                .at(REDUNDANT_READS_PER_SECOND),
            new Step.Down(CRASHED),
            reads(scale, DOWN, with(byRank, Arm.LCS, Arm.UCS_T4, peer, own)),
            new Step.Up(CRASHED),
            new Step.Recover(RECOVER, recoveries(arms), repeats(scale), Regime.UNLIMITED));
    return new Experiment(
        NAME,
        "beyond DEPART",
        "Formats by role: what a redundant copy costs, and what a primary one gains",
        List.of(new Stage(LabCluster.NODES, Math.max(1_000, rows), arms, steps)),
        aims(own, peer, formatsRedundant.name(), plainRedundant.name()));
  }

  private static List<String> with(List<ExperimentArm> more, String... names) {
    return Stream.concat(Stream.of(names), more.stream().map(ExperimentArm::name)).toList();
  }

  /** Long blocks: a cache that compresses better is felt only when the smaller one is full. */
  private static Step.Blocks reads(LabScale scale, String phase, List<String> arms) {
    int each = 2 * scale.operations();
    Repetition repetition = new Repetition(each, FILLS * each, 0, repeats(scale));
    return new Step.Blocks(phase, OperationMix.READS, Plans.ONE_ONE, repetition, SMALL_CACHE)
        .on(arms);
  }

  private static List<Aim> aims(String own, String peer, String redundant, String peerRedundant) {
    String restored = recovery(Arm.FORMATS);
    String stockRestored = recovery(Arm.UCS_T4);
    return List.of(
        atMost("fmt.disk_vs_stock", WRITE, BlockMeasure.DISK_BYTES, 0.75),
        atMost("fmt.disk_vs_stock_4k", WRITE, BlockMeasure.DISK_BYTES, Arm.UCS_T4_4K, 0.75),
        atMost("fmt.disk_vs_stock_zstd", WRITE, BlockMeasure.DISK_BYTES, Arm.UCS_T4_ZSTD, 1),
        ratio(
            "fmt.recovery_bytes",
            RECOVER,
            BlockMeasure.BYTES_RECEIVED,
            List.of(restored, stockRestored),
            Bound.atMost(0.75)),
        new Aim.Median(
            "fmt.recovery_whole",
            List.of(RECOVER),
            BlockMeasure.WHOLE_SHARE,
            restored,
            Bound.atLeast(1),
            ""),
        ratio(
            "fmt.primary_read_bytes",
            COLD,
            BlockMeasure.DISK_READ_BYTES,
            List.of(own, Arm.UCS_T4),
            Bound.atMost(0.4)),
        ratio(
            "fmt.redundant_read_time",
            REDUNDANT,
            BlockMeasure.LOCAL_READ_MICROS,
            List.of(redundant, peerRedundant),
            Bound.atMost(1.5)),
        atMost("fmt.cpu_vs_stock", WRITE, BlockMeasure.CPU_SECONDS, 1),
        ratio(
            "fmt.writes_vs_stock",
            WRITE,
            BlockMeasure.THROUGHPUT,
            List.of(Arm.FORMATS, Arm.UCS_T4),
            Bound.atLeast(1.1)),
        atMost("fmt.filter_memory", WRITE, BlockMeasure.FILTER_BYTES, 0.8),
        ratio("fmt.reads", READ, BlockMeasure.THROUGHPUT, List.of(own, peer), Bound.atLeast(1.2)),
        ratio(
            "fmt.reads_down",
            DOWN,
            BlockMeasure.THROUGHPUT,
            List.of(own, Arm.LCS),
            Bound.atLeast(1.3)));
  }

  private static Aim atMost(String id, String phase, BlockMeasure measure, double bound) {
    return atMost(id, phase, measure, Arm.UCS_T4, bound);
  }

  private static Aim atMost(
      String id, String phase, BlockMeasure measure, String peer, double bound) {
    return ratio(id, phase, measure, List.of(Arm.FORMATS, peer), Bound.atMost(bound));
  }

  /**
   * @param arms numerator and denominator
   */
  private static Aim ratio(
      String id, String phase, BlockMeasure measure, List<String> arms, Bound asked) {
    return new Aim.Ratio(id, List.of(phase), measure, arms.get(0), arms.get(1), asked, "");
  }

  private static LabTable table(String arm, int rows) {
    return LabTable.of(Arm.known(arm).forRows(rows / ROWS_PER_RUN_ROW));
  }

  private static List<RecoveryArm> recoveries(List<ExperimentArm> arms) {
    return arms.stream()
        .map(ExperimentArm::table)
        .distinct()
        .map(FormatsExperiment::recovery)
        .toList();
  }

  private static String recovery(String arm) {
    return recovery(LabTable.of(Arm.known(arm))).name();
  }

  /** Each by its own way to fill an empty node. */
  private static RecoveryArm recovery(LabTable table) {
    return new RecoveryArm(
        table, table.arm().needsPlugin() ? RecoveryMethod.RECOVER : RecoveryMethod.REBUILD);
  }

  private static int repeats(LabScale scale) {
    return scale == LabScale.SMOKE ? 1 : ROUNDS;
  }
}
