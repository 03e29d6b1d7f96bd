package io.counterpart.lab.bench;

import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import java.util.List;

/**
 * The plan of the demonstration.
 *
 * @param rows rows of each table, 1,000 to 10,000,000
 * @param updates updates of each table, 0 to 10,000,000
 * @param nodes of the cluster, 3 to 10
 * @param seed repeats keys, values and order
 * @param arms the tables, at least one
 */
public record DemoPlan(int rows, int updates, int nodes, long seed, List<Arm> arms) {
  private static final int MIN_ROWS = 1_000;
  private static final int MAX_NODES = 10;
  private static final int MAX_OPERATIONS = 10_000_000;

  /** Checks every range. */
  public DemoPlan {
    arms = List.copyOf(arms);
    if (rows < MIN_ROWS || rows > MAX_OPERATIONS) {
      throw new IllegalArgumentException(
          "rows %d: must be %d to %d".formatted(rows, MIN_ROWS, MAX_OPERATIONS));
    }
    if (updates < 0 || updates > MAX_OPERATIONS) {
      throw new IllegalArgumentException(
          "updates %d: must be 0 to %d".formatted(updates, MAX_OPERATIONS));
    }
    if (nodes < LabCluster.REPLICATION_FACTOR || nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "nodes %d: must be %d to %d".formatted(nodes, LabCluster.REPLICATION_FACTOR, MAX_NODES));
    }
    if (arms.isEmpty()) {
      throw new IllegalArgumentException("arms: needs at least one");
    }
  }
}
