package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.ring.change.TableLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Bytes on disk of tables, by the nodes that gave them.
 *
 * @param bytes by address
 * @param silent addresses that do not answer CQL
 * @param unweighed addresses that answer CQL, but not JMX
 */
record NodeWeights(
    Map<String, Map<SchemaTable, Long>> bytes, Set<String> silent, Set<String> unweighed) {
  private static final int MOST_AT_ONCE = 16;

  /** One table with its bytes. */
  TableLoad load(SchemaTable table) {
    Map<String, Long> byNode = new HashMap<>();
    bytes.forEach((node, tables) -> byNode.put(node, tables.getOrDefault(table, 0L)));
    return new TableLoad(
        table.keyspace(), table.table(), table.replication(), table.maxGroups(), byNode);
  }

  /** Asks all nodes, several at once. */
  static NodeWeights of(
      CqlSession session,
      RemoteAccess access,
      Map<String, Node> nodes,
      Iterable<SchemaTable> tables) {
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, nodes.size()));
    try {
      Map<String, Future<Map<SchemaTable, Long>>> asked = new TreeMap<>();
      nodes.forEach(
          (address, node) ->
              asked.put(address, pool.submit(() -> weigh(session, access, node, tables))));
      return collected(asked);
    } finally {
      pool.shutdownNow();
    }
  }

  private static NodeWeights collected(Map<String, Future<Map<SchemaTable, Long>>> asked) {
    Map<String, Map<SchemaTable, Long>> bytes = new TreeMap<>();
    Set<String> silent = new TreeSet<>();
    Set<String> unweighed = new TreeSet<>();
    asked.forEach(
        (address, answer) -> {
          try {
            bytes.put(address, answer.get());
          } catch (ExecutionException e) {
            if (e.getCause() instanceof DriverException) {
              silent.add(address);
            } else if (e.getCause() instanceof IOException
                || e.getCause() instanceof UncheckedIOException
                // a table that the node does not have yet
                || e.getCause() instanceof IllegalArgumentException) {
              unweighed.add(address);
            } else {
              throw new IllegalStateException("node " + address + " cannot be looked at", e);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while the cluster is looked at");
          }
        });
    return new NodeWeights(bytes, silent, unweighed);
  }

  private static Map<SchemaTable, Long> weigh(
      CqlSession session, RemoteAccess access, Node node, Iterable<SchemaTable> tables)
      throws Exception {
    JmxAddressing addressing = JmxAddressing.of(session, node, NodeSurvey.address(node), access);
    Map<SchemaTable, Long> bytes = new HashMap<>();
    try (NodeJmx jmx = addressing.endpoint().connect(RemoteAccess.JMX_LIMIT)) {
      for (SchemaTable table : tables) {
        bytes.put(table, jmx.tableCounter(table.keyspace(), table.table(), "LiveDiskSpaceUsed"));
      }
    }
    return bytes;
  }
}
