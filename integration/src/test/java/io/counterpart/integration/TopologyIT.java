package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Location;
import io.counterpart.core.ring.change.RingChange;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.RingPlan;
import io.counterpart.core.ring.change.TableCost;
import io.counterpart.lab.remote.ClusterRing;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import io.counterpart.lab.setup.RunRefusedException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Roles follow the ring: a node is wiped, one joins, leaves, dies, and replication grows. */
@OnSecondCluster(Shape.CHANGING_RING)
class TopologyIT {
  private static final String KEYSPACE = "topology";
  private static final String TABLE = "t";
  private static final int ROWS = 4000;

  /** For what gossip tells the other nodes, and the roles that follow in the background. */
  private static final Duration LIMIT = Duration.ofSeconds(180);

  private final Seed seed = Seed.of(TopologyIT.class);

  @Test
  void keeps_every_value_and_gives_every_copy_its_role(TestCluster cluster)
      throws InterruptedException {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compaction = " + TestCluster.decoupled(Map.of("runs", "3")),
            ROWS,
            1000,
            seed);
    rows.writeAllAndFlush(2);
    settle(cluster);
    rows.checkEverywhere();
    EnginesInRing engines = new EnginesInRing(cluster, seed);

    wipeAndRebuild(cluster, rows);
    engines.rebuilt(cluster.node(2));
    growByOneNode(cluster, rows, engines);
    engines.grown();
    PromotedRuns promoted = new PromotedRuns(cluster, seed);
    shrinkByOneNode(cluster, rows);
    promoted.check();
    engines.shrunk();
    replaceADeadNode(cluster, rows);
    engines.replaced();
    growReplication(cluster, rows);
    shrinkReplication(cluster, rows);
    removeADeadNode(cluster, rows);
  }

  private static void wipeAndRebuild(TestCluster cluster, AcknowledgedWrites rows) {
    Node wiped = cluster.node(2);
    wiped.kill();
    wiped.wipe();
    wiped.start(StartListener.SILENT);
    assertThat(cluster.state(wiped, KEYSPACE, TABLE).ownBytes()).isZero();

    wiped.nodetool("rebuild", "-ks", KEYSPACE);

    settle(cluster);
    TableState state = cluster.state(wiped, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    rows.checkEverywhere();
  }

  private static void growByOneNode(
      TestCluster cluster, AcknowledgedWrites rows, EnginesInRing engines)
      throws InterruptedException {
    ClusterRing before = survey(cluster);
    List<Node> members = cluster.live();
    Node joined = cluster.cluster().addSurveyNode(Location.DEFAULT, StartListener.SILENT);
    hasRolesBeforeItJoins(joined);
    engines.writeWhile(members, () -> joined.nodetool("join"));
    RingMembers.awaitSettled(cluster);
    assertThat(joined.nodetool("status")).containsPattern("UN +" + joined.address());
    long streamedBytes = liveBytes(joined);
    rows.checkEverywhere();
    awaitForeignCopies(cluster);
    comesTrue(planned(before, joined), cluster, joined, streamedBytes);
    TableState state = cluster.state(joined, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    cleanByDeletion(cluster, rows);
  }

  /** In write survey it is outside of the ring, and counts with the tokens that it has. */
  private static void hasRolesBeforeItJoins(Node survey) {
    await()
        .atMost(LIMIT)
        // a busy node resets connections now and then
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .untilAsserted(
            () -> {
              assertThat(RingMembers.joining(survey)).hasSize(1);
              assertThat(gauge(survey, "MixedBytes")).isZero();
              assertThat(gauge(survey, "ForeignBytes")).isZero();
              assertThat(gauge(survey, "PrimaryBytes")).isPositive();
              assertThat(gauge(survey, "RunBytes")).isPositive();
            });
  }

  private static long gauge(Node node, String name) {
    try (NodeJmx jmx = node.jmx()) {
      return (long)
          jmx.attribute(
              "org.apache.cassandra.metrics:type=Counterpart,scope=topology.t,name=" + name,
              "Value");
    }
  }

  /** Had the tokens been known, the plan would have said what was streamed and what is foreign. */
  private static void comesTrue(
      Map<String, TableCost> plan, TestCluster cluster, Node joined, long streamedBytes) {
    long in = plan.get(joined.address()).in();
    long foreign = plan.values().stream().mapToLong(TableCost::foreign).sum();
    assertThat(in).isCloseTo(streamedBytes, withinPercentage(20));
    await("what waits for a quiet moment to be split")
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                // the table of roles counts data files alone, without their indexes and filters
                assertThat(foreign).isCloseTo(foreignBytes(cluster).sum(), withinPercentage(30)));
    assertThat(plan.values().stream().mapToLong(TableCost::out).sum())
        .isCloseTo(in, withinPercentage(1));
  }

  private static Map<String, TableCost> planned(ClusterRing before, Node joined) {
    RingNode node =
        new RingNode(
            joined.address(), joined.location().dc(), joined.location().rack(), tokens(joined));
    RingPlan plan = new RingPlan(before.ring(), List.of(new RingChange.Join(node)), Set.of());
    assertThat(before.tables()).hasSize(1);
    return plan.costs(before.tables().get(0));
  }

  /** By all nodes: a plan lacks the bytes of those that do not answer within 5 s. */
  private static ClusterRing survey(TestCluster cluster) {
    return await("an answer of every node")
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(RunRefusedException.class)
        .until(
            () -> RingSurvey.of(access(cluster), List.of(KEYSPACE)),
            found -> found.silent().isEmpty() && found.unweighed().isEmpty());
  }

  private static RemoteAccess access(TestCluster cluster) {
    List<ContactPoint> points =
        cluster.live().stream()
            .map(node -> new ContactPoint(node.address(), node.cqlPort()))
            .toList();
    return new RemoteAccess(points, null, null, OptionalInt.empty(), null);
  }

  private static List<Long> tokens(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      List<?> tokens = (List<?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "Tokens");
      return tokens.stream().map(token -> Long.valueOf(token.toString())).toList();
    }
  }

  /** Of the table alone: a node that joins is sent those of all keyspaces. */
  private static long liveBytes(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.tableCounter(KEYSPACE, TABLE, "LiveDiskSpaceUsed");
    }
  }

  /** Three nodes have copies to give away: to the one that joined, or because fewer are kept. */
  private static void awaitForeignCopies(TestCluster cluster) {
    await("every node sees the new ring")
        .atMost(LIMIT)
        .until(() -> foreignBytes(cluster).filter(bytes -> bytes > 0).count() == 3);
    settle(cluster);
  }

  /** Foreign sstables go as they are; nothing is rewritten for them. */
  private static void cleanByDeletion(TestCluster cluster, AcknowledgedWrites rows) {
    awaitForeignCopies(cluster);
    cluster.stopCompaction(KEYSPACE, TABLE);
    Map<Node, List<Path>> before = files(cluster);

    cluster.cleanup(KEYSPACE);

    assertThat(foreignBytes(cluster).sum()).isZero();
    files(cluster)
        .forEach((node, files) -> assertThat(before.get(node)).as("%s", node).containsAll(files));
    settle(cluster);
    rows.checkEverywhere();
  }

  private static void shrinkByOneNode(TestCluster cluster, AcknowledgedWrites rows) {
    Node leaving = cluster.node(4);
    cluster.stopCompaction(KEYSPACE, TABLE);
    Map<Node, List<Path>> before = files(cluster);
    before.remove(leaving);
    long primaryBefore = primaryBytes(cluster, before.keySet());
    TableState stays = cluster.state(leaving, KEYSPACE, TABLE);
    CompletableFuture<String> left =
        CompletableFuture.supplyAsync(() -> leaving.nodetool("decommission"));
    Object mode =
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(20))
            .ignoreExceptionsInstanceOf(UncheckedIOException.class)
            .until(() -> mode(leaving), seen -> seen.equals("LEAVING") || left.isDone());
    assertThat(mode).isEqualTo("LEAVING");
    TableState leaves = cluster.state(leaving, KEYSPACE, TABLE);
    assertThat(leaves.foreignBytes()).as(leaves.toString()).isZero();
    assertThat(leaves.primaryBytes()).as(leaves.toString()).isEqualTo(stays.primaryBytes());
    assertThat(leaves.runBytes()).as(leaves.toString()).isEqualTo(stays.runBytes());
    left.join();
    leaving.kill();

    // who was the next replica is primary now, of sstables that it has already
    Map<Node, List<Path>> after = files(cluster);
    before.forEach((node, files) -> assertThat(after.get(node)).as("%s", node).containsAll(files));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(primaryBytes(cluster, before.keySet())).isGreaterThan(primaryBefore));
    settle(cluster);
    rows.checkEverywhere();
    rows.writeAllAndFlush(1);
    settle(cluster);
    rows.checkEverywhere();
  }

  private static Object mode(Node node) {
    return attribute(node, "OperationMode");
  }

  private static Object attribute(Node node, String name) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.attribute(NodeJmx.STORAGE_SERVICE, name);
    }
  }

  private static void replaceADeadNode(TestCluster cluster, AcknowledgedWrites rows) {
    cluster.node(3).kill();

    Node replacement = cluster.cluster().replaceNode(3, StartListener.SILENT);

    assertThat(replacement.nodetool("status"))
        .containsPattern("UN +" + replacement.address())
        .doesNotContain(cluster.node(3).address() + " ");
    settle(cluster);
    TableState state = cluster.state(replacement, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    rows.checkEverywhere();
  }

  /** Nothing on its own disk tells it, and its data would bring back what is purged elsewhere. */
  private static void removeADeadNode(TestCluster cluster, AcknowledgedWrites rows) {
    Node dead = cluster.node(2);
    String id = (String) attribute(dead, "LocalHostId");
    dead.kill();
    Node first = cluster.node(1);
    await().atMost(LIMIT).until(() -> !liveNodes(first).contains(dead.address()));

    first.nodetool("removenode", id);

    assertThatThrownBy(() -> dead.start(StartListener.SILENT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(dead + " was removed from the ring");
    Node last = cluster.live().get(cluster.live().size() - 1);
    last.stop();
    assertThat(cluster.cluster().members()).contains(first, last).doesNotContain(dead);
    last.start(StartListener.SILENT);
    rows.checkEverywhere();
  }

  private static List<?> liveNodes(Node asked) {
    return (List<?>) attribute(asked, "LiveNodes");
  }

  private static void growReplication(TestCluster cluster, AcknowledgedWrites rows) {
    replicate(cluster, 3);

    cluster.node(1).nodetool("repair", "-full", KEYSPACE);

    settle(cluster);
    rows.checkEverywhere();
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, TABLE);
      assertThat(state.runBytes()).as(state.toString()).isGreaterThan(state.primaryBytes());
    }
  }

  private static void shrinkReplication(TestCluster cluster, AcknowledgedWrites rows) {
    replicate(cluster, 2);
    settle(cluster);
    rows.checkEverywhere();
    cleanByDeletion(cluster, rows);
  }

  private static void replicate(TestCluster cluster, int copies) {
    cluster.execute(
        "ALTER KEYSPACE topology WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': %d}".formatted(copies));
  }

  private static void settle(TestCluster cluster) {
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0);
  }

  private static Map<Node, List<Path>> files(TestCluster cluster) {
    return cluster.live().stream()
        .collect(Collectors.toMap(node -> node, node -> DataFiles.of(node, KEYSPACE, TABLE)));
  }

  private static long primaryBytes(TestCluster cluster, Set<Node> nodes) {
    return nodes.stream()
        .mapToLong(node -> cluster.state(node, KEYSPACE, TABLE).primaryBytes())
        .sum();
  }

  private static LongStream foreignBytes(TestCluster cluster) {
    return cluster.live().stream()
        .mapToLong(node -> cluster.state(node, KEYSPACE, TABLE).foreignBytes());
  }
}
