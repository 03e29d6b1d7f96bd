package io.counterpart.core.ring.change;

import java.util.Map;

/**
 * A table and its bytes on each node.
 *
 * @param maxGroups {@code max_range_groups} of a decoupled table; 0 for a stock table, which has no
 *     roles
 * @param bytesByNode on disk, by name; nodes that did not answer are absent
 */
public record TableLoad(
    String keyspace,
    String table,
    Replication replication,
    int maxGroups,
    Map<String, Long> bytesByNode) {
  /** Checks and copies. */
  public TableLoad {
    bytesByNode = Map.copyOf(bytesByNode);
    if (maxGroups < 0) {
      throw new IllegalArgumentException("maxGroups is " + maxGroups + ", legal: 0 and above");
    }
    bytesByNode.forEach(
        (node, bytes) -> {
          if (bytes < 0) {
            throw new IllegalArgumentException(
                "node " + node + " keeps " + bytes + " bytes, legal: 0 and above");
          }
        });
  }

  /** {@code keyspace.table}. */
  public String qualified() {
    return keyspace + "." + table;
  }
}
