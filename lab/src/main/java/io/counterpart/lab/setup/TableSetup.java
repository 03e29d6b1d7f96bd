package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.lab.workload.TableRef;
import java.time.Duration;

/**
 * Creates and drops an arm's keyspace and table; every option but compaction is the same for all
 * arms.
 */
public final class TableSetup {
  static final String TABLE = "usertable";

  /** Everything but compaction, as CQL. */
  static final String COMMON_OPTIONS =
      // 0.01 is the default of most strategies, 0.1 that of LCS: equal here
      "bloom_filter_fp_chance = 0.01"
          + " AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}"
          // a second read sent early would count twice in sstables per read
          + " AND speculative_retry = 'NEVER' AND additional_write_policy = 'NEVER'";

  private static final Duration DDL_TIMEOUT = Duration.ofSeconds(120);
  private final CqlSession session;
  private final String dc;
  private final int replicationFactor;

  /**
   * A setup on a session.
   *
   * @param dc the only datacenter
   */
  public TableSetup(CqlSession session, String dc, int replicationFactor) {
    this.session = session;
    this.dc = dc;
    this.replicationFactor = replicationFactor;
  }

  /** The table of an arm in a round. */
  public static TableRef table(Arm arm, String round) {
    return new TableRef(arm.name() + "_" + round, TABLE);
  }

  /** Creates the keyspace and the table; neither may exist. */
  public void create(TableRef table, Arm arm) {
    ddl(
        "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
            .formatted(table.keyspace(), dc, replicationFactor));
    ddl(
        "CREATE TABLE %s (k text PRIMARY KEY, field0 blob) WITH compaction = %s AND %s"
            .formatted(table.qualified(), arm.compactionCql(), COMMON_OPTIONS));
  }

  /**
   * Replicates Cassandra's own history of repairs as often as this setup does. A repair holds a
   * thread for answers while it writes there, and if the node has no copy it waits for an answer:
   * two repairs at once on two cores, so with two such threads, stand still until both time out.
   */
  public void keepRepairHistoryEverywhere() {
    ddl(
        "ALTER KEYSPACE system_distributed WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
            .formatted(dc, replicationFactor));
  }

  /** Drops the keyspace, if it exists. */
  public void drop(TableRef table) {
    ddl("DROP KEYSPACE IF EXISTS " + table.keyspace());
  }

  private void ddl(String statement) {
    session.execute(SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT));
  }
}
