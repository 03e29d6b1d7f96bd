package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * The keyspaces that a run has made. It drops these and no others. Thread-safe; after {@link
 * #dropAll} no keyspace can be created, so that a shutdown and a run still in progress do not
 * interfere.
 */
public final class OwnKeyspaces {
  private static final Duration DDL_TIMEOUT = Duration.ofSeconds(120);

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
   * Makes a keyspace with one table; returns when every node that the session has connections to
   * uses it.
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
    awaitEverywhere(keyspace);
    ddl(createTable);
    awaitEverywhere(keyspace);
  }

  private void awaitEverywhere(String keyspace) {
    if (!SchemaAgreement.await(session, DDL_TIMEOUT)) {
      throw new IllegalStateException(
          "keyspace %s: not all nodes use it and its table after %d s"
              .formatted(keyspace, DDL_TIMEOUT.toSeconds()));
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
