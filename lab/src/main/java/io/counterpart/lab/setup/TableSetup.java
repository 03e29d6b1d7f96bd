package io.counterpart.lab.setup;

import io.counterpart.lab.workload.TableRef;

/**
 * Creates and drops an arm's keyspace and table; every option but an arm's own is the same for all
 * arms.
 */
public final class TableSetup {
  static final String TABLE = "usertable";

  /** Everything but an arm's own options, as CQL. */
  static final String COMMON_OPTIONS =
      // 0.01 is the default of most strategies, 0.1 that of LCS: equal here
      "bloom_filter_fp_chance = 0.01"
          // a second read sent early would count twice in sstables per read
          + " AND speculative_retry = 'NEVER' AND additional_write_policy = 'NEVER'"
          // a dropped table shall leave no copy on the disks of whoever runs the nodes
          + " AND allow_auto_snapshot = false AND incremental_backups = false";

  private final OwnKeyspaces keyspaces;
  private final String dc;
  private final int replicationFactor;

  /**
   * A setup on a cluster.
   *
   * @param keyspaces knows which ones are the run's own
   * @param dc the only datacenter with replicas
   */
  public TableSetup(OwnKeyspaces keyspaces, String dc, int replicationFactor) {
    this.keyspaces = keyspaces;
    this.dc = dc;
    this.replicationFactor = replicationFactor;
  }

  /** The table of an arm in a round. */
  public static TableRef table(Arm arm, String round) {
    return new TableRef(arm.name() + "_" + round, TABLE);
  }

  /** Creates the keyspace and the table; neither may exist. */
  public void create(TableRef table, Arm arm) {
    keyspaces.create(
        table.keyspace(),
        "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
            .formatted(table.keyspace(), dc, replicationFactor),
        "CREATE TABLE %s (k text PRIMARY KEY, field0 blob) WITH %s AND %s"
            .formatted(table.qualified(), arm.cql(), COMMON_OPTIONS));
  }

  /**
   * Replicates Cassandra's own history of repairs as often as this setup does. A repair holds a
   * thread for answers while it writes there, and if the node has no copy it waits for an answer:
   * two repairs at once on two cores, so with two such threads, stand still until both time out.
   */
  public void keepRepairHistoryEverywhere() {
    OwnKeyspaces.ddl(
        keyspaces.session(),
        "ALTER KEYSPACE system_distributed WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', '%s': %d}".formatted(dc, replicationFactor));
  }

  /** Drops the keyspace, if this run has made it. */
  public void drop(TableRef table) {
    keyspaces.drop(table.keyspace());
  }
}
