package io.counterpart.integration;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.util.Map;

/** What {@code nodetool snapshot} and {@code clearsnapshot} ask a node for, without their JVM. */
final class Snapshots {
  private static final String TEXT = String.class.getName();
  private static final String TEXTS = String[].class.getName();

  private Snapshots() {}

  /**
   * Of all tables of a keyspace, or of one.
   *
   * @param entity the keyspace, or the table with its keyspace
   */
  static void take(Node node, String name, String entity) {
    invoke(
        node,
        "takeSnapshot",
        new Object[] {name, Map.of(), new String[] {entity}},
        new String[] {TEXT, Map.class.getName(), TEXTS});
  }

  /** Deletes all of a keyspace. */
  static void clear(Node node, String keyspace) {
    invoke(
        node,
        "clearSnapshot",
        new Object[] {"", new String[] {keyspace}},
        new String[] {TEXT, TEXTS});
  }

  private static void invoke(Node node, String method, Object[] arguments, String[] types) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(NodeJmx.STORAGE_SERVICE, method, arguments, types);
    }
  }
}
