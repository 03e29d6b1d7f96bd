package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Time that a node has spent on the reads of its tables, by JMX. Cassandra 5.0's virtual tables of
 * latencies take microseconds for nanoseconds, and show whole milliseconds at best.
 */
public final class ReadTimes {
  private static final String TOTAL = "ReadTotalLatency";

  private ReadTimes() {}

  /**
   * Microseconds since the node's start by {@code keyspace.table}; without tables that the node
   * does not have, and empty where it does not answer JMX.
   */
  public static Map<String, Long> of(
      CqlSession session, RemoteAccess access, Node node, Iterable<String> tables) {
    RemoteTls tls = access.tls();
    if (tls != null) {
      tls.prepareJmx();
    }
    Map<String, Long> micros = new HashMap<>();
    try (NodeJmx jmx =
        JmxAddressing.of(session, node, NodeSurvey.address(node), access)
            .endpoint()
            .connect(RemoteAccess.JMX_LIMIT)) {
      for (String table : tables) {
        int dot = table.indexOf('.');
        try {
          micros.put(
              table, jmx.tableCounter(table.substring(0, dot), table.substring(dot + 1), TOTAL));
        } catch (IllegalArgumentException noSuchTable) {
          // a table that the node does not have yet
        }
      }
    } catch (IOException
        | UncheckedIOException
        | IllegalArgumentException
        | NodeSurvey.Obstacle noJmx) {
      return Map.of();
    }
    return micros;
  }
}
