package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.setup.SchemaAgreement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table that goes to another storage engine while it serves: the memtable configuration of its
 * schema is changed, the nodes do the rest, and this watches them. All state is the cluster's, so a
 * migration that nobody watches any more goes on, and a second one of the same table and engine
 * takes up the watch. Not thread-safe.
 */
public final class EngineMigration implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final CqlSession session;
  private final CqlIdentifier keyspace;
  private final CqlIdentifier table;
  private final String configuration;

  /** The engine that the configuration is on each node. */
  private final Map<Node, String> engines = new HashMap<>();

  private EngineMigration(
      CqlSession session, CqlIdentifier keyspace, CqlIdentifier table, String configuration) {
    this.session = session;
    this.keyspace = keyspace;
    this.table = table;
    this.configuration = configuration;
  }

  /**
   * Connects, and looks whether the migration can begin, and end. Changes nothing.
   *
   * @param configuration name of a memtable configuration, which may be another engine on each node
   * @throws RunRefusedException with what is legal, if the cluster cannot be reached, lacks the
   *     table or keeps it on sstables, or if a node is down or its configuration is no engine
   */
  public static EngineMigration open(
      RemoteAccess access, String keyspace, String table, String configuration) {
    CqlSession session = SurveySession.open(access);
    try {
      EngineMigration migration =
          new EngineMigration(
              session,
              CqlIdentifier.fromInternal(keyspace),
              CqlIdentifier.fromInternal(table),
              configuration);
      migration.require();
      return migration;
    } catch (DriverException e) {
      session.close();
      throw new RunRefusedException("the cluster cannot be looked at: " + SurveySession.reason(e));
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void require() {
    MigratedTable moved = MigratedTable.of(session, keyspace.asInternal(), table.asInternal());
    moved.require();
    for (Node node : SurveySession.nodes(session)) {
      String engine = requireEngine(node);
      if (!engine.equals(MemtableSettings.LSM)) {
        moved.requireFree(engine);
      }
      engines.put(node, engine);
    }
  }

  /**
   * A node without it would serve the table from its default memtable, with an ERROR in its log.
   */
  private String requireEngine(Node node) {
    String name = SurveySession.name(node);
    if (SurveySession.isDown(node)) {
      throw new RunRefusedException(
          "%s is down, legal: all nodes up: whether it knows '%s' cannot be seen"
              .formatted(name, configuration));
    }
    try {
      return MemtableSettings.at(session, node).requireEngine(name, configuration);
    } catch (AllNodesFailedException | DriverTimeoutException e) {
      throw new RunRefusedException(
          "%s does not answer, legal: all nodes up: whether it knows '%s' cannot be seen (%s)"
              .formatted(name, configuration, SurveySession.reason(e)));
    }
  }

  static SimpleStatement at(Node node, String query, Object... values) {
    return SimpleStatement.newInstance(query, values).setNode(node).setTimeout(LIMIT);
  }

  /**
   * Changes the table's configuration.
   *
   * @return false if it was so already
   * @throws RunRefusedException if the cluster refuses that
   */
  public boolean begin() {
    if (configuration.equals(current())) {
      return false;
    }
    String alter =
        "ALTER TABLE %s.%s WITH memtable = '%s'"
            .formatted(keyspace.asCql(true), table.asCql(true), configuration.replace("'", "''"));
    try {
      session.execute(SimpleStatement.newInstance(alter).setTimeout(LIMIT));
    } catch (QueryValidationException e) {
      throw new RunRefusedException("the cluster refuses %s: %s".formatted(alter, e.getMessage()));
    }
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

  /** Asks every node. None is done before all know the change: it may be seen as it was before. */
  public List<Progress> progress() {
    List<Node> nodes = SurveySession.nodes(session);
    boolean areTold = SchemaAgreement.isReached(session, nodes);
    return nodes.stream()
        .map(this::progress)
        .map(each -> areTold || !each.isDone ? each : untold(each.node))
        .toList();
  }

  private static Progress untold(String node) {
    return new Progress(node, false, 0, "not all nodes are known to have the change");
  }

  private Progress progress(Node node) {
    String name = SurveySession.name(node);
    try {
      String engine = engineAt(node);
      return engine == null
          ? new Progress(name, false, 0, "has no engine '%s'".formatted(configuration))
          : progress(name, engine, stores(node));
    } catch (DriverException e) {
      return new Progress(name, false, 0, "does not answer");
    }
  }

  /** Also of a node that has joined meanwhile. */
  private @Nullable String engineAt(Node node) {
    String known = engines.get(node);
    if (known != null) {
      return known;
    }
    Optional<String> engine = MemtableSettings.at(session, node).engine(configuration);
    engine.ifPresent(joined -> engines.put(node, joined));
    return engine.orElse(null);
  }

  private List<Store> stores(Node node) {
    try {
      return session
          .execute(
              at(
                  node,
                  "SELECT * FROM counterpart.engines WHERE keyspace_name = ? AND table_name = ?",
                  keyspace.asInternal(),
                  table.asInternal()))
          .map(Store::of)
          .all()
          .stream()
          .filter(store -> !store.hasLeft())
          .toList();
    } catch (InvalidQueryException e) {
      // no table of the node is on an engine, so it has no such virtual table yet
      return List.of();
    }
  }

  /** A table's line of {@code counterpart.engines}: its stores of one engine. */
  record Store(
      String engine,
      String state,
      long partitions,
      long usedBytes,
      int sstables,
      long sstableBytes,
      String absorption) {
    private static Store of(Row row) {
      return new Store(
          String.valueOf(row.getString("engine")),
          String.valueOf(row.getString("state")),
          row.getLong("partitions"),
          row.getLong("used_bytes"),
          row.getInt("sstables"),
          row.getLong("sstable_bytes"),
          String.valueOf(row.getString("absorption")));
    }

    /** Whether all of it is in sstables, and it is only kept for compactions that run. */
    private boolean hasLeft() {
      return state.startsWith("left");
    }

    private boolean isCold() {
      return state.startsWith("cold");
    }

    /** Whether its sizes may be unknown: a store that does not answer is shown with none. */
    private boolean isAway() {
      return state.startsWith("failing") || state.startsWith("bypassing");
    }
  }

  /**
   * How far a node is.
   *
   * @param engine that the table has there, or is to have
   */
  static Progress progress(String node, String engine, List<Store> stores) {
    return engine.equals(MemtableSettings.LSM)
        ? leaving(node, stores)
        : coming(node, engine, stores);
  }

  private static Progress leaving(String node, List<Store> stores) {
    long bytes =
        stores.stream().filter(store -> store.partitions > 0).mapToLong(Store::usedBytes).sum();
    boolean isDone =
        stores.stream()
            .noneMatch(store -> store.partitions > 0 || store.isCold() || store.isAway());
    String state =
        stores.stream()
            .filter(Store::isAway)
            .map(Store::state)
            .findFirst()
            .orElse(isDone ? "on sstables" : "spilling");
    return new Progress(node, isDone, bytes, state);
  }

  private static Progress coming(String node, String engine, List<Store> stores) {
    List<Store> own = stores.stream().filter(store -> store.engine.equals(engine)).toList();
    if (own.isEmpty()) {
      return new Progress(
          node, false, 0, "not on engine %s yet; if that lasts, see its log".formatted(engine));
    }
    if (stores.size() > 1) {
      return new Progress(node, false, 0, "the engine of before gives its data back");
    }
    Store store = own.get(0);
    boolean absorbs = store.state.startsWith("absorbing");
    return new Progress(
        node,
        absorbs && store.sstables == 0,
        store.sstableBytes,
        absorbs ? store.absorption : store.state);
  }

  @Override
  public void close() {
    session.close();
  }
}
