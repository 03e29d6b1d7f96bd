package io.counterpart.lab.plan;

import io.counterpart.lab.setup.ClusterNeeds;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ClientShape;

/** A stage's requirements of its cluster, from its declaration alone. */
public final class StageNeeds {
  // a compaction has its input and its output on disk at once, and updates wait for one
  private static final int COMPACTION_HEADROOM = 2;

  private StageNeeds() {}

  public static ClusterNeeds of(Stage stage, ClientShape client) {
    long pairBytes = (long) client.keyBytes() + client.valueBytes();
    long bytes = 0;
    int replicationFactor = 0;
    boolean plugin = stage.decidesLevels();
    for (LabTable table : stage.tables()) {
      bytes += rows(stage, table) * pairBytes * table.replicationFactor() * COMPACTION_HEADROOM;
      replicationFactor = Math.max(replicationFactor, table.replicationFactor());
      plugin |= table.arm().needsPlugin();
    }
    return new ClusterNeeds(stage.nodes(), replicationFactor, plugin, bytes);
  }

  /** Rows of a table at the end: what is loaded, and what blocks of its arms insert. */
  private static long rows(Stage stage, LabTable table) {
    long arms = stage.arms().stream().filter(arm -> arm.table().equals(table)).count();
    double rows = 0;
    for (Step step : stage.steps()) {
      if (step instanceof Step.Load load) {
        rows += load.rows();
      } else if (step instanceof Step.Rounds rounds) {
        rows += rounds.rows();
      } else if (step instanceof Step.Blocks blocks) {
        Repetition each = blocks.repetition();
        rows += (double) arms * each.blocks() * each.operations() * blocks.mix().insert();
      }
    }
    return Math.min(stage.capacity(), Math.round(rows));
  }
}
