package io.counterpart.lab.setup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether nodes use the same schema. Each is asked for its own version, which it stores when it
 * uses a change. The driver's check asks one node about all: if that has not heard of a change yet,
 * all agree. And a node's tables of its schema tell of a change before it uses it.
 */
public final class SchemaAgreement {
  private static final SimpleStatement VERSION =
      SimpleStatement.newInstance("SELECT schema_version FROM system.local");
  private static final Duration POLL = Duration.ofMillis(20);

  private SchemaAgreement() {}

  /**
   * Whether all of the nodes use one schema now; false also if one does not answer. Of a change
   * that was acknowledged, its coordinator must be one of them.
   */
  public static boolean isReached(CqlSession session, Collection<Node> nodes) {
    Set<@Nullable UUID> versions = new HashSet<>();
    try {
      for (Node node : nodes) {
        Row row = session.execute(VERSION.setNode(node)).one();
        versions.add(row == null ? null : row.getUuid(0));
      }
    } catch (DriverException noAnswer) {
      return false;
    }
    return versions.size() <= 1;
  }

  /**
   * Waits until all nodes that the session uses do.
   *
   * @return false if that takes longer than the limit
   */
  static boolean await(CqlSession session, Duration limit) {
    long start = System.nanoTime();
    while (!isReached(session, used(session))) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    return true;
  }

  private static List<Node> used(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getOpenConnections() > 0)
        .toList();
  }
}
