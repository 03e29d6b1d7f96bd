package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeStartException;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Location;
import io.counterpart.core.placement.HashOrderedJoin;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.placement.RingBalance;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.ClusterRing;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Replicas by the order of hashes on a real cluster, under a decoupled table. */
@OnUsualPorts
@OnCluster(Shape.THREE_NODES)
class PorStrategyIT {
  private static final String KEYSPACE = "por";
  private static final String TABLE = "t";
  private static final String STRATEGY = "io.counterpart.cassandra.placement.PorStrategy";

  private final Seed seed = Seed.of(PorStrategyIT.class);

  @Test
  void keeps_every_value_while_a_node_dies_and_another_joins(TestCluster cluster) {
    refusesBadOptions(cluster);
    saysThatDriversDoNotKnowIt(cluster);
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compaction = " + TestCluster.decoupled(Map.of("runs", "3")),
            3000,
            300,
            seed);
    rows.writeAllAndFlush(3);
    settle(cluster);
    everyNodeHasBothRoles(cluster);
    rows.checkEverywhere();

    ClusterRing ring = survey(cluster);
    decidesAsTheModelDoes(cluster, ring);
    driversKnowTheReplicasOfNoKeyspace(cluster);

    aNodeDies(cluster, rows);
    aNodeJoinsWithArcsOfItsSuccessor(cluster, rows, ring);
    rows.writeAllAndFlush(1);
    settle(cluster);
    rows.checkEverywhere();
    aNodeWithTokensOfItsOwnChoiceIsRefused(cluster, rows);
  }

  private static void refusesBadOptions(TestCluster cluster) {
    refused(cluster, "'dc9': 2", "datacenters are [dc9], legal: at least one of [dc1]");
    refused(cluster, "'dc1': '3/1'", "dc1 is '3/1', legal: a whole number from 0 to 9999");
    refused(cluster, "'replication_factor': 'x'", "replication_factor is 'x', legal: a whole");
  }

  private static void refused(TestCluster cluster, String options, String message) {
    assertThatThrownBy(() -> create(cluster, options)).as(options).hasMessageContaining(message);
  }

  private static ExecutionInfo create(TestCluster cluster, String options) {
    String cql =
        "CREATE KEYSPACE %s WITH replication = {'class': '%s', %s}"
            .formatted(KEYSPACE, STRATEGY, options);
    // the node that changes the schema next: another one may not know the keyspace yet
    var coordinator = cluster.driverNode(cluster.live().get(0));
    return cluster
        .session()
        .execute(SimpleStatement.newInstance(cql).setNode(coordinator))
        .getExecutionInfo();
  }

  private static void saysThatDriversDoNotKnowIt(TestCluster cluster) {
    assertThat(create(cluster, "'replication_factor': 2").getWarnings())
        .anyMatch(warning -> warning.contains("Drivers do not know PorStrategy"));
    // changes of the schema by the helper wait for all nodes
    cluster.execute(
        "ALTER KEYSPACE %s WITH replication = {'class': '%s', 'dc1': 2}"
            .formatted(KEYSPACE, STRATEGY));
  }

  private static void everyNodeHasBothRoles(TestCluster cluster) {
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, TABLE);
      assertThat(state.primaryBytes()).as(state.toString()).isPositive();
      assertThat(state.runBytes()).as(state.toString()).isPositive();
      assertThat(state.foreignBytes()).as(state.toString()).isZero();
    }
  }

  /** The model of core, which reports and plans ask, names the replicas that Cassandra uses. */
  private static void decidesAsTheModelDoes(TestCluster cluster, ClusterRing ring) {
    HashOrderedReplication model = (HashOrderedReplication) ring.replications().get(KEYSPACE);
    assertThat(model).isNotNull();
    Map<Long, List<String>> replicas = replicas(cluster.node(1));
    assertThat(replicas).hasSize(ring.ring().tokens().size());
    for (int i = 0; i < ring.ring().tokens().size(); i++) {
      assertThat(replicas)
          .containsEntry(ring.ring().tokens().get(i), model.replicas(ring.ring(), i));
    }
    RingBalance balance = RingBalance.of(ring.ring(), model, "dc1");
    assertThat(balance.replicaSets()).isEqualTo(3);
  }

  /** Replicas by the end of their arc. */
  private static Map<Long, List<String>> replicas(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      Map<?, ?> ranges =
          (Map<?, ?>)
              jmx.invoke(
                  NodeJmx.STORAGE_SERVICE,
                  "getRangeToEndpointMap",
                  new Object[] {KEYSPACE},
                  new String[] {String.class.getName()});
      Map<Long, List<String>> replicas = new HashMap<>();
      ranges.forEach(
          (range, nodes) ->
              replicas.put(
                  Long.valueOf(String.valueOf(((List<?>) range).get(1))),
                  ((List<?>) nodes).stream().map(String::valueOf).toList()));
      return replicas;
    }
  }

  /** The documented cost; once a driver learns the strategy, the document is to be changed. */
  private static void driversKnowTheReplicasOfNoKeyspace(TestCluster cluster) {
    Node first = cluster.node(1);
    cluster.execute(
        "CREATE KEYSPACE usual WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    try (CqlSession session = Sessions.openWithSchema(first)) {
      TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
      for (String keyspace : List.of(KEYSPACE, "usual")) {
        assertThat(session.getMetadata().getKeyspace(keyspace)).isPresent();
        assertThat(tokens.getReplicas(keyspace, tokens.parse("1"))).as(keyspace).isEmpty();
      }
    }
  }

  private static void aNodeDies(TestCluster cluster, AcknowledgedWrites rows) {
    Node dead = cluster.node(3);
    cluster.kill(dead);
    await()
        .atMost(Duration.ofSeconds(180))
        // reads fail until the others notice
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> {
              // two copies: one of each row is left
              rows.check(cluster.node(1), DefaultConsistencyLevel.ONE);
              rows.check(cluster.node(2), DefaultConsistencyLevel.LOCAL_ONE);
            });
    dead.start(StartListener.SILENT);
    rows.check(cluster.node(1), DefaultConsistencyLevel.LOCAL_QUORUM);
  }

  /** Only the joining node gains copies, so every row is there at once, without a repair. */
  private static void aNodeJoinsWithArcsOfItsSuccessor(
      TestCluster cluster, AcknowledgedWrites rows, ClusterRing ring) {
    Node joined =
        cluster.cluster().addNode(Location.DEFAULT, legalTokens(ring), StartListener.SILENT);

    assertThat(joined.nodetool("status")).containsPattern("UN +" + joined.address());
    rows.check(cluster.node(1), DefaultConsistencyLevel.ALL);
    cluster.cleanup(KEYSPACE);
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0 && state.foreignBytes() == 0);
    everyNodeHasBothRoles(cluster);
    rows.checkEverywhere();
    ClusterRing now = survey(cluster);
    RingBalance balance = RingBalance.of(now.ring(), now.replications().get(KEYSPACE), "dc1");
    assertThat(balance.replicaSets()).isEqualTo(4);
  }

  private static List<Long> legalTokens(ClusterRing ring) {
    TokenRing before = ring.ring();
    HashOrderedReplication known = (HashOrderedReplication) ring.replications().get(KEYSPACE);
    Map<String, String> addresses = new HashMap<>(known.addresses());
    String name = "127.0.0.4";
    addresses.put(name, addresses.get("127.0.0.1").replace("127.0.0.1", name));
    RingNode joining = new RingNode(name, "dc1", "rack1", List.of(11L, 12L, 13L, 14L));

    HashOrderedJoin verdict =
        HashOrderedJoin.judge(
            before,
            before.with(joining),
            name,
            new HashOrderedReplication(known.copies(), addresses));

    assertThat(verdict).isInstanceOf(HashOrderedJoin.Unsafe.class);
    return ((HashOrderedJoin.Unsafe) verdict).legal();
  }

  private static void aNodeWithTokensOfItsOwnChoiceIsRefused(
      TestCluster cluster, AcknowledgedWrites rows) {
    assertThatThrownBy(() -> cluster.cluster().addNode(Location.DEFAULT, StartListener.SILENT))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("cannot join with these tokens: keyspace por is under PorStrategy")
        .hasMessageContaining("its successor by hash, such as initial_token: ");
    assertThat(cluster.node(5).isAlive()).isFalse();
    // reads alone: until the others forget it, a minute, a write at ALL waits for it, too
    rows.check(cluster.node(1), DefaultConsistencyLevel.ALL);
  }

  private static ClusterRing survey(TestCluster cluster) {
    List<ContactPoint> points =
        cluster.live().stream()
            .map(node -> new ContactPoint(node.address(), node.cqlPort()))
            .toList();
    return RingSurvey.of(
        new RemoteAccess(points, null, null, OptionalInt.empty(), null), List.of(KEYSPACE));
  }

  private static void settle(TestCluster cluster) {
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0);
  }
}
