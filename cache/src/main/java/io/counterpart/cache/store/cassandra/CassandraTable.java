package io.counterpart.cache.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of objects: created if absent, refused if its columns differ. */
final class CassandraTable {
  private static final Logger logger = LoggerFactory.getLogger(CassandraTable.class);
  static final Duration SCHEMA_LIMIT = Duration.ofSeconds(30);

  /** Head start of each shard before the next one, if the table is missing. */
  private static final Duration TURN = Duration.ofSeconds(5);

  private static final long PAUSE_MILLIS = 100;

  /** Of all shards of this process one makes the table. */
  private static final Object MAKING = new Object();

  private static final int DEFAULT_REPLICATION_FACTOR = 3;

  /** Type and kind of each column. */
  private static final Map<String, String> COLUMNS =
      new TreeMap<>(
          Map.of(
              "key", "blob partition_key",
              "value", "blob regular",
              "flags", "int regular",
              "expiry", "bigint regular",
              "stale", "boolean regular"));

  private final CqlSession session;
  private final CassandraOptions options;
  private final String datacenter;

  private CassandraTable(CqlSession session, CassandraOptions options, String datacenter) {
    this.session = session;
    this.options = options;
    this.datacenter = datacenter;
  }

  /**
   * Creates the table, or checks the existing one. Two statements at once that make one table are
   * no error for Cassandra, but its nodes may take different ids for it, and lose the rows of one.
   * So shards, which may be in several processes, make it in turn, and who comes later finds it.
   *
   * @param turn number of the shard, from 0
   * @throws IOException if it has other columns, or if there is no such local datacenter
   */
  static void prepare(CqlSession session, CassandraOptions options, int turn) throws IOException {
    new CassandraTable(session, options, localDatacenter(session, options)).prepare(turn);
  }

  /** The table's name in CQL. */
  static String qualified(CassandraOptions options) {
    return "\"%s\".\"%s\"".formatted(options.keyspace(), options.table());
  }

  /**
   * Whether a statement on the table may succeed soon: a node that takes over a new table says at
   * first that there is none, and then, for as long as it opens the table's files, fails with the
   * table's id ("Unknown CF").
   */
  static boolean mayAppear(DriverException failure) {
    if (failure instanceof AllNodesFailedException all) {
      return all.getAllErrors().values().stream()
          .flatMap(List::stream)
          .anyMatch(error -> error instanceof DriverException each && mayAppear(each));
    }
    return failure instanceof InvalidQueryException || failure instanceof ServerError;
  }

  private static String localDatacenter(CqlSession session, CassandraOptions options)
      throws IOException {
    TreeSet<String> all =
        session.getMetadata().getNodes().values().stream()
            .map(node -> String.valueOf(node.getDatacenter()))
            .collect(Collectors.toCollection(TreeSet::new));
    String chosen = options.localDatacenter();
    if (chosen != null && !all.contains(chosen)) {
      throw new IOException(
          "local datacenter is '%s', legal in this cluster: %s"
              .formatted(chosen, String.join(", ", all)));
    }
    if (chosen != null) {
      return chosen;
    }
    return session
        .execute(
            SimpleStatement.newInstance("SELECT data_center FROM system.local")
                .setTimeout(SCHEMA_LIMIT))
        .one()
        .getString("data_center");
  }

  private void prepare(int turn) throws IOException {
    Map<String, String> found = columns();
    if (found.isEmpty()) {
      found = made(turn);
    }
    if (!found.equals(COLUMNS)) {
      throw new IOException(
          "table %s.%s has the columns %s, legal: %s; name another table, or none for one that is"
                  .formatted(options.keyspace(), options.table(), found, COLUMNS)
              + " made");
    }
  }

  /** The columns of the table that is made now, here or by another shard. */
  private Map<String, String> made(int turn) throws IOException {
    Map<String, String> found = awaitColumns(TURN.multipliedBy(turn));
    if (found.isEmpty()) {
      synchronized (MAKING) {
        found = columns();
        if (found.isEmpty()) {
          create();
          found = awaitColumns(SCHEMA_LIMIT);
        }
      }
    }
    if (!session.checkSchemaAgreement()) {
      logger.warn("not all nodes of Cassandra know {} yet", qualified(options));
    }
    return found;
  }

  /** The columns once there are any; empty if that takes too long. */
  private Map<String, String> awaitColumns(Duration limit) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    Map<String, String> found = columns();
    while (found.isEmpty() && System.nanoTime() - end < 0) {
      pause();
      found = columns();
    }
    return found;
  }

  static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while starting");
    }
  }

  private Map<String, String> columns() {
    Map<String, String> columns = new TreeMap<>();
    session
        .execute(
            SimpleStatement.newInstance(
                    "SELECT column_name, type, kind FROM system_schema.columns"
                        + " WHERE keyspace_name = ? AND table_name = ?",
                    options.keyspace(),
                    options.table())
                .setTimeout(SCHEMA_LIMIT))
        .forEach(
            row ->
                columns.put(
                    row.getString("column_name"),
                    row.getString("type") + " " + row.getString("kind")));
    return columns;
  }

  private void create() {
    if (!hasKeyspace()) {
      int copies = replicationFactor();
      logger.info(
          "making keyspace {} with {} copies in datacenter {}",
          options.keyspace(),
          copies,
          datacenter);
      execute(
          "CREATE KEYSPACE IF NOT EXISTS \"%s\" WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
              .formatted(options.keyspace(), datacenter.replace("'", "''"), copies));
    }
    logger.info("making table {}.{}", options.keyspace(), options.table());
    execute(
        "CREATE TABLE IF NOT EXISTS %s (key blob PRIMARY KEY, value blob, flags int, expiry bigint, stale boolean)"
            .formatted(qualified(options)));
  }

  private boolean hasKeyspace() {
    return session
            .execute(
                SimpleStatement.newInstance(
                        "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
                        options.keyspace())
                    .setTimeout(SCHEMA_LIMIT))
            .one()
        != null;
  }

  private int replicationFactor() {
    Integer chosen = options.replicationFactor();
    if (chosen != null) {
      return chosen;
    }
    long nodes =
        session.getMetadata().getNodes().values().stream()
            .map(Node::getDatacenter)
            .filter(datacenter::equals)
            .count();
    return (int) Math.max(1, Math.min(DEFAULT_REPLICATION_FACTOR, nodes));
  }

  private void execute(String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(SCHEMA_LIMIT));
  }
}
