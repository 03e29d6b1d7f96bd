package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.List;

/**
 * Engine by replica rank: primary copies in a B+tree beside primary copies in a tiered LSM-tree,
 * redundant copies in the two-layer log in both. Reads at ONE go to the primary. Goes beyond the
 * papers.
 *
 * <p>All arms have the same bytes of page cache, a share of the stock table's.
 */
final class RankExperiment {
  /** Name of the experiment. */
  static final String NAME = "engine-by-rank";

  private static final String WRITE = "write";
  private static final String READ = "read";
  private static final int ROUNDS = 3;
  // what the page cache holds when a block begins differs by a factor of two
  private static final int READ_BLOCKS = 9;
  // as many as copies: a node's share of primary copies is a third, as on any number of nodes
  private static final int NODES = 3;
  // a sixth of the stock table's bytes on a node is then above the least page cache
  private static final int SMALL_ROWS = 220_000;
  private static final int ROWS_PER_RUN_ROW = 3;
  // a miss of a B+tree caches a page of 4 KiB, one of a stock table a chunk of 16 KiB
  private static final int FILLS = 8;
  // a third of the data holds every primary copy, and the disk would not be the limit
  private static final Regime SMALL_CACHE =
      new Regime(1 / 6.0, Plans.SLOW_DISK.readsPerSecond()).withSameCache();

  private RankExperiment() {}

  static Experiment reads(LabScale scale) {
    int rows = scale == LabScale.SMALL ? SMALL_ROWS : scale.rows();
    ExperimentArm stock = new ExperimentArm(table(Arm.UCS_T4, rows), Routing.STOCK);
    ExperimentArm tree = new ExperimentArm(table(Arm.DECOUPLED_T4, rows), Routing.PRIMARY_FIRST);
    ExperimentArm byRank = new ExperimentArm(table(Arm.BY_RANK, rows), Routing.PRIMARY_FIRST);
    return new Experiment(
        NAME,
        "beyond MyCassandra and DEPART",
        "Primary copies in a B+tree, redundant ones in the two-layer log",
        List.of(
            new Stage(
                NODES,
                Math.max(1_000, rows),
                List.of(stock, tree, byRank),
                List.of(
                    new Step.Rounds(WRITE, rows, rows, scale == LabScale.SMOKE ? 1 : ROUNDS),
                    blocks(scale, READ, OperationMix.READS)))),
        List.of(
            atLeast("rank.reads_vs_decoupled", byRank, tree, 1.3),
            atLeast("rank.reads_vs_ucs", byRank, stock, 1.3),
            costs("rank.write_bytes_vs_decoupled", BlockMeasure.DISK_WRITTEN_BYTES, byRank, tree),
            costs("rank.disk_vs_decoupled", BlockMeasure.DISK_BYTES, byRank, tree)));
  }

  private static Aim costs(String id, BlockMeasure measure, ExperimentArm arm, ExperimentArm peer) {
    return new Aim.Ratio(
        id,
        List.of(WRITE),
        measure,
        arm.table().name(),
        peer.table().name(),
        Bound.atMost(1.5),
        "");
  }

  private static Step.Blocks blocks(LabScale scale, String phase, OperationMix mix) {
    int repeats = scale == LabScale.SMOKE ? 1 : READ_BLOCKS;
    int each = scale.operations();
    return new Step.Blocks(
        phase, mix, Plans.ONE_ONE, new Repetition(each, FILLS * each, 0, repeats), SMALL_CACHE);
  }

  private static Aim atLeast(String id, ExperimentArm arm, ExperimentArm peer, double bound) {
    return new Aim.Throughput(id, READ, arm.name(), peer.name(), bound, "");
  }

  private static LabTable table(String arm, int rows) {
    return LabTable.of(Arm.known(arm).forRows(rows / ROWS_PER_RUN_ROW));
  }
}
