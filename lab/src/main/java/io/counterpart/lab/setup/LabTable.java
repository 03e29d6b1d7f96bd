package io.counterpart.lab.setup;

import io.counterpart.lab.workload.TableRef;

/**
 * A table of an experiment: its compaction and replication factor.
 *
 * @param arm compaction
 * @param replicationFactor replicas of each row, 1 to the number of nodes
 */
public record LabTable(Arm arm, int replicationFactor) {
  /** How the names of all keyspaces of experiments begin. */
  public static final String KEYSPACE_PREFIX = "counterpart_lab_";

  private static final String WARM_UP = "_warmup";

  /** Checks that its keyspaces can be called by its name. */
  public LabTable {
    new TableRef(KEYSPACE_PREFIX + name(arm, replicationFactor) + WARM_UP, TableSetup.TABLE);
  }

  /** A table replicated as the lab's usually are. */
  public static LabTable of(Arm arm) {
    return new LabTable(arm, LabCluster.REPLICATION_FACTOR);
  }

  /** Stable name: the arm's, with the replication factor where that is not the usual one. */
  public String name() {
    return name(arm, replicationFactor);
  }

  private static String name(Arm arm, int replicationFactor) {
    return replicationFactor == LabCluster.REPLICATION_FACTOR
        ? arm.name()
        : arm.name() + "_rf" + replicationFactor;
  }

  /** Where it is. */
  public TableRef ref() {
    return new TableRef(KEYSPACE_PREFIX + name(), TableSetup.TABLE);
  }

  /** Where one like it is that warms servers up and is dropped again. */
  public TableRef warmUpRef() {
    return new TableRef(KEYSPACE_PREFIX + name() + WARM_UP, TableSetup.TABLE);
  }
}
