package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.cluster.ObservedNode;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.RoleBytes;
import io.counterpart.lab.setup.HandlerSwitches;
import io.counterpart.lab.setup.SchemaAgreement;
import io.counterpart.lab.setup.ThrowawayCluster;
import io.counterpart.lab.workload.LabSession;
import io.counterpart.lab.workload.TableRef;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Running nodes with a session, and the control of their faults. Closing it ends the nodes. For one
 * thread.
 */
public final class FaultyNodes implements AutoCloseable {
  private static final Duration DDL_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int POLICY_REPLICAS = 3;

  private final ThrowawayCluster cluster;
  private final ConnectedNodes connected;
  private final HandlerSwitches switches;
  private final CqlSession session;
  private final List<Node> coordinators = new ArrayList<>();

  private FaultyNodes(ThrowawayCluster cluster) {
    this.cluster = cluster;
    connected = new ConnectedNodes(cluster.nodes());
    switches = new HandlerSwitches(connected);
    session = LabSession.open(cluster.nodes());
  }

  /** Starts them; returns when all serve, with the table of policies. */
  static FaultyNodes start(NodeSetup setup, Path home, Path serverLib, Path pluginJar)
      throws IOException, InterruptedException {
    ThrowawayCluster cluster = ThrowawayCluster.start(setup.spec(home, serverLib, pluginJar));
    try {
      FaultyNodes nodes = new FaultyNodes(cluster);
      nodes.connect();
      nodes.keyspace("counterpart_config", Math.min(POLICY_REPLICAS, setup.nodes()));
      nodes.ddl(
          "CREATE TABLE counterpart_config.consistency (keyspace_name text, table_name text, mode"
              + " text, epsilon double, floor text, window_ms bigint,"
              + " PRIMARY KEY (keyspace_name, table_name))");
      return nodes;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void connect() {
    for (io.counterpart.cluster.Node node : cluster.nodes()) {
      InetSocketAddress address = new InetSocketAddress(node.address(), node.cqlPort());
      await(
          node + " has no connection",
          () ->
              session
                  .getMetadata()
                  .findNode(address)
                  .filter(found -> found.getOpenConnections() > 0)
                  .map(coordinators::add)
                  .orElse(false));
    }
    // a node's handler starts with the first request, and only then has virtual tables
    for (Node coordinator : coordinators) {
      session.execute(
          SimpleStatement.newInstance("SELECT key FROM system.local").setNode(coordinator));
    }
  }

  CqlSession session() {
    return session;
  }

  /** The driver's view of the nodes, in the order of their numbers. */
  List<Node> coordinators() {
    return List.copyOf(coordinators);
  }

  ConnectedNodes connected() {
    return connected;
  }

  /** Makes writes from other nodes late on all of them, with a mean in ms; 0 for none. */
  void lateWrites(double meanMillis) {
    switches.lateWrites(meanMillis);
  }

  /** Leads requests on all of them through the consistency handler or past it. */
  void consistency(boolean on) {
    switches.consistency(on);
  }

  /** Processor time of all of them so far. */
  Duration cpu() {
    Duration sum = Duration.ZERO;
    for (ObservedNode node : connected.nodes()) {
      sum = sum.plus(connected.cpuTime(node));
    }
    return sum;
  }

  /** Bytes that they have written of a table, by the role of the copies; none of a stock table. */
  Map<String, Long> writtenByRole(TableRef table) {
    return RoleBytes.of(connected, table);
  }

  /** Makes a keyspace. */
  void keyspace(String name, int replicas) {
    ddl(
        "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
            .formatted(name, cluster.nodes().get(0).datacenter(), replicas));
  }

  /** Makes a table of numbers in which nothing repairs a stale copy but the late write. */
  void table(TableRef table) {
    table(table, StaleTable.STOCK);
  }

  /** The same, stored in that way. */
  void table(TableRef table, StaleTable kind) {
    ddl(
        ("CREATE TABLE %s (k int PRIMARY KEY, v bigint) WITH read_repair = 'NONE'"
                + " AND speculative_retry = 'NEVER' AND additional_write_policy = 'NEVER'%s")
            .formatted(table.qualified(), kind.options()));
  }

  /** Sets a table's policy; nodes read it within 5 s: {@link #awaitPolicy}. */
  void policy(TableRef table, String columns, String values) {
    session.execute(
        ("INSERT INTO counterpart_config.consistency (keyspace_name, table_name, %s)"
                + " VALUES ('%s', '%s', %s)")
            .formatted(columns, table.keyspace(), table.table(), values));
  }

  /** Returns when every node has the table's policy. */
  void awaitPolicy(TableRef table) {
    for (Node coordinator : coordinators) {
      await(
          coordinator + " has no policy of " + table.qualified(),
          () ->
              session
                      .execute(
                          SimpleStatement.newInstance(
                                  "SELECT reason FROM counterpart.consistency"
                                      + " WHERE keyspace_name = ? AND table_name = ?",
                                  table.keyspace(),
                                  table.table())
                              .setNode(coordinator))
                      .one()
                  != null);
    }
  }

  private void ddl(String statement) {
    session.execute(SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT));
    await("nodes disagree on the schema", () -> SchemaAgreement.isReached(session, coordinators));
  }

  private static void await(String otherwise, BooleanSupplier condition) {
    long deadline = System.nanoTime() + DDL_TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%s after %d s".formatted(otherwise, DDL_TIMEOUT.toSeconds()));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  @Override
  public void close() {
    session.close();
    connected.close();
    cluster.close();
  }
}
