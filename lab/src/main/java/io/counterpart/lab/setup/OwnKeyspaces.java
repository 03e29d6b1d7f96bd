package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;

/**
 * The keyspaces that a run has made. It drops these and no others. Thread-safe; after {@link
 * #dropAll} no keyspace can be created, so that a shutdown and a run still in progress do not
 * interfere.
 */
public final class OwnKeyspaces {
  private static final Duration DDL_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(20);

  private final CqlSession session;
  private final Set<String> made = new LinkedHashSet<>();
  private boolean ended;

  /** None so far. */
  public OwnKeyspaces(CqlSession session) {
    this.session = session;
  }

  /** The session that they are made on. */
  public CqlSession session() {
    return session;
  }

  /**
   * Makes a keyspace with one table; returns when every node that the session uses knows it.
   *
   * @param createKeyspace fails if it exists
   * @throws IllegalStateException if a node does not within two minutes
   * @throws QueryValidationException if there is one of that name, which is left as it is, or if it
   *     may not be made
   */
  synchronized void create(String keyspace, String createKeyspace, String createTable) {
    if (ended) {
      throw new CancellationException("the run ends: %s is not made".formatted(keyspace));
    }
    // a statement that times out may have been done all the same
    boolean first = made.add(keyspace);
    try {
      ddl(createKeyspace);
    } catch (QueryValidationException notDone) {
      if (first) {
        made.remove(keyspace);
      }
      throw notDone;
    }
    // the next statement may go to another node
    awaitEverywhere(keyspace, "SELECT keyspace_name FROM system_schema.keyspaces");
    ddl(createTable);
    awaitEverywhere(keyspace, "SELECT table_name FROM system_schema.tables");
  }

  /** The driver's own check may ask a node that has not heard of a change yet: all agree there. */
  private void awaitEverywhere(String keyspace, String select) {
    SimpleStatement known =
        SimpleStatement.newInstance(select + " WHERE keyspace_name = ?", keyspace);
    long deadline = System.nanoTime() + DDL_TIMEOUT.toNanos();
    for (Node node : session.getMetadata().getNodes().values()) {
      while (node.getOpenConnections() > 0 && session.execute(known.setNode(node)).one() == null) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "keyspace %s: %s does not know it and its table after %d s"
                  .formatted(keyspace, node.getEndPoint(), DDL_TIMEOUT.toSeconds()));
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  /** Drops a keyspace if this run has made it. */
  synchronized void drop(String keyspace) {
    if (made.contains(keyspace)) {
      ddl("DROP KEYSPACE IF EXISTS " + keyspace);
      made.remove(keyspace);
    }
  }

  /**
   * Drops all of them, for good.
   *
   * @return those that are still there, with the reasons
   */
  public synchronized Map<String, String> dropAll() {
    ended = true;
    Map<String, String> left = new LinkedHashMap<>();
    for (String keyspace : List.copyOf(made)) {
      try {
        drop(keyspace);
      } catch (DriverException | IllegalStateException e) {
        left.put(keyspace, String.valueOf(e.getMessage()));
      }
    }
    return left;
  }

  private void ddl(String statement) {
    ddl(session, statement);
  }

  /** Changes the schema, with time enough for every node to follow. */
  static void ddl(CqlSession session, String statement) {
    session.execute(SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT));
  }
}
