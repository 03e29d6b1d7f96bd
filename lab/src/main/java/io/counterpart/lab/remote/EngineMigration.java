package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.setup.RunRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table that goes to another storage engine while it serves: the memtable configuration of its
 * schema is changed, the nodes do the rest, and this watches them. All state is the cluster's, so a
 * migration that nobody watches any more goes on, and a second one of the same table and engine
 * takes up the watch. Not thread-safe.
 */
public final class EngineMigration implements AutoCloseable {
  /** The engine of tables that leave engines. */
  public static final String LSM = "lsm";

  private static final Pattern ENGINE = Pattern.compile("(?:^|[ ,])engine=(\\w+)");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final CqlSession session;
  private final CqlIdentifier keyspace;
  private final CqlIdentifier table;
  private final String engine;

  private EngineMigration(
      CqlSession session, CqlIdentifier keyspace, CqlIdentifier table, String engine) {
    this.session = session;
    this.keyspace = keyspace;
    this.table = table;
    this.engine = engine;
  }

  /**
   * Connects, and looks whether the migration can begin. Changes nothing.
   *
   * @param engine name of a memtable configuration
   * @throws RunRefusedException if the cluster cannot be reached, lacks the table, or a node is
   *     down or lacks the configuration
   */
  public static EngineMigration open(
      RemoteAccess access, String keyspace, String table, String engine) {
    CqlSession session = SurveySession.open(access);
    try {
      EngineMigration migration =
          new EngineMigration(
              session,
              CqlIdentifier.fromInternal(keyspace),
              CqlIdentifier.fromInternal(table),
              engine);
      migration.requireTable();
      SurveySession.nodes(session).forEach(migration::requireConfiguration);
      return migration;
    } catch (DriverException e) {
      session.close();
      throw new RunRefusedException("the cluster cannot be looked at: " + SurveySession.reason(e));
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void requireTable() {
    if (session
        .getMetadata()
        .getKeyspace(keyspace)
        .flatMap(known -> known.getTable(table))
        .isEmpty()) {
      throw new RunRefusedException(
          "there is no table " + keyspace.asCql(true) + "." + table.asCql(true));
    }
  }

  /**
   * A node without it would serve the table from its default memtable, with an ERROR in its log.
   */
  private void requireConfiguration(Node node) {
    if (SurveySession.isDown(node)) {
      throw new RunRefusedException(
          SurveySession.name(node) + " is down: whether it knows '" + engine + "' cannot be seen");
    }
    if (!isConfigured(configurations(session, node), engine)) {
      throw new RunRefusedException(
          "the cassandra.yaml of %s has no memtable configuration '%s'"
              .formatted(SurveySession.name(node), engine));
    }
  }

  /** The memtable configurations of a node's cassandra.yaml, as the node shows them. */
  public static String configurations(CqlSession session, Node node) {
    Row settings =
        session
            .execute(
                at(
                    node,
                    "SELECT value FROM system_views.settings WHERE name ="
                        + " 'memtable.configurations'"))
            .one();
    return settings == null ? "" : String.valueOf(settings.getString("value"));
  }

  /** Whether configurations, as a node shows them, have one of a name. */
  public static boolean isConfigured(String configurations, String name) {
    return Pattern.compile("[{ \",]" + Pattern.quote(name) + "[\"=:]")
        .matcher(configurations)
        .find();
  }

  /**
   * The engine of a memtable configuration, as a node shows its configurations; empty if it is none
   * of Counterpart's, or the node shows them in another form.
   */
  public static Optional<String> engine(String configurations, String name) {
    Matcher entry =
        Pattern.compile("[{ ]" + Pattern.quote(name) + "=[^{},]*EngineMemtable\\{([^}]*)}")
            .matcher(configurations);
    if (!entry.find()) {
      return Optional.empty();
    }
    Matcher engine = ENGINE.matcher(entry.group(1));
    return engine.find() ? Optional.of(engine.group(1)) : Optional.empty();
  }

  private static SimpleStatement at(Node node, String query, Object... values) {
    return SimpleStatement.newInstance(query, values).setNode(node).setTimeout(LIMIT);
  }

  /**
   * Changes the table's configuration.
   *
   * @return false if it was so already
   */
  public boolean begin() {
    if (engine.equals(current())) {
      return false;
    }
    session.execute(
        SimpleStatement.newInstance(
                "ALTER TABLE %s.%s WITH memtable = '%s'"
                    .formatted(keyspace.asCql(true), table.asCql(true), engine.replace("'", "''")))
            .setTimeout(LIMIT));
    return true;
  }

  private @Nullable String current() {
    Row row =
        session
            .execute(
                SimpleStatement.newInstance(
                    "SELECT memtable FROM system_schema.tables WHERE keyspace_name = ? AND"
                        + " table_name = ?",
                    keyspace.asInternal(),
                    table.asInternal()))
            .one();
    return row == null ? null : row.getString("memtable");
  }

  /**
   * One node.
   *
   * @param isDone whether all of its data is where it is to be
   * @param bytesLeft of sstables that are to be absorbed, or of stores that are to be given back
   * @param state what it does, a phrase
   */
  public record Progress(String node, boolean isDone, long bytesLeft, String state) {}

  /** Asks every node. */
  public List<Progress> progress() {
    return SurveySession.nodes(session).stream().map(this::progress).toList();
  }

  private Progress progress(Node node) {
    List<Row> stores;
    try {
      stores =
          session
              .execute(
                  at(
                      node,
                      "SELECT * FROM counterpart.engines WHERE keyspace_name = ? AND table_name = ?",
                      keyspace.asInternal(),
                      table.asInternal()))
              .all();
    } catch (AllNodesFailedException e) {
      return new Progress(SurveySession.name(node), false, 0, "does not answer");
    } catch (DriverException e) {
      // no table of the node is on an engine, so it has no such virtual table yet
      stores = List.of();
    }
    return engine.equals(LSM) ? leaving(node, stores) : coming(node, stores);
  }

  private static Progress leaving(Node node, List<Row> stores) {
    long bytes =
        stores.stream()
            .filter(row -> row.getLong("partitions") > 0)
            .mapToLong(row -> row.getLong("used_bytes"))
            .sum();
    boolean isDone = stores.stream().allMatch(row -> row.getLong("partitions") == 0);
    return new Progress(
        SurveySession.name(node), isDone, bytes, isDone ? "on sstables" : "spilling");
  }

  private static Progress coming(Node node, List<Row> stores) {
    if (stores.size() != 1) {
      return new Progress(
          SurveySession.name(node),
          false,
          0,
          stores.isEmpty() ? "not on the engine yet" : "the engine of before gives its data back");
    }
    Row row = stores.get(0);
    boolean absorbs = String.valueOf(row.getString("state")).startsWith("absorbing");
    return new Progress(
        SurveySession.name(node),
        absorbs && row.getInt("sstables") == 0,
        row.getLong("sstable_bytes"),
        String.valueOf(row.getString(absorbs ? "absorption" : "state")));
  }

  @Override
  public void close() {
    session.close();
  }
}
