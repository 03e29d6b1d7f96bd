package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeStartException;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Location;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.EngineReplication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.JoinTokens;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Quotas by engine class on a real cluster: two copies of each row, on two servers. */
@OnSecondCluster(Shape.ENGINE_CLASSES)
class HeterogeneousStrategyIT {
  private static final String KEYSPACE = "heterogeneous";
  private static final String STRATEGY = "io.counterpart.cassandra.placement.HeterogeneousStrategy";
  private static final EngineReplication MODEL =
      new EngineReplication(Map.of("dc1", EngineQuotas.of(2, 2, 1)));

  private final Seed seed = Seed.of(HeterogeneousStrategyIT.class);

  @Test
  void keeps_every_value_while_a_server_dies_a_node_joins_and_a_mix_changes(TestCluster cluster)
      throws Exception {
    namesWhatIsMissing(cluster);
    saysThatDriversDoNotKnowIt(cluster);
    AcknowledgedWrites rows =
        new AcknowledgedWrites(cluster, KEYSPACE + ".t", "comment = 'rows'", 2000, 200, seed);
    rows.writeAllAndFlush(2);
    rows.checkEverywhere();

    TokenRing ring = survey(cluster);
    decidesAsTheModelDoes(cluster, ring);

    new MixUnderLoad(cluster, seed).check();
    rows.checkEverywhere();
    aServerDies(cluster, rows);
    aNodeJoinsWithTokensThatGiveOthersNothing(cluster, rows);
    rows.writeAllAndFlush(1);
    rows.checkEverywhere();
    aNodeWithoutAClassIsRefused(cluster, rows);
  }

  private static void namesWhatIsMissing(TestCluster cluster) {
    refused(cluster, "'dc1': 2, 'read_quorum': 1", "write_quorum is missing, legal: a whole");
    refused(cluster, options("'dc1': 2", 3, 1), "dc1: write quorum (W) is 3, legal: 1 to 2");
    refused(cluster, options("'dc1': 2", 1, 1), "(R) is 1 + 1 = 2, legal: 3 to 4");
    refused(cluster, options("'dc9': 2", 2, 1), "datacenters are [dc9], legal: at least one of");
    refused(
        cluster,
        options("'dc1': 4", 2, 3),
        "dc1: nodes of class read are 1, legal: 2 and above, for copies by class write 1, read 2,"
            + " memory 1");
  }

  private static String options(String copies, int writes, int reads) {
    return "%s, 'write_quorum': %d, 'read_quorum': %d".formatted(copies, writes, reads);
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
    assertThat(create(cluster, options("'replication_factor': 2", 2, 1)).getWarnings())
        .anyMatch(warning -> warning.contains("Drivers do not know HeterogeneousStrategy"))
        .noneMatch(warning -> warning.contains("some fail together"));
    // changes of the schema by the helper wait for all nodes
    cluster.execute(
        "ALTER KEYSPACE %s WITH replication = {'class': '%s', %s}"
            .formatted(KEYSPACE, STRATEGY, options("'dc1': 2", 2, 1)));
  }

  private static void decidesAsTheModelDoes(TestCluster cluster, TokenRing ring) {
    Map<Long, List<String>> replicas = replicas(cluster.node(1));
    assertThat(replicas).hasSize(ring.tokens().size());
    for (int i = 0; i < ring.tokens().size(); i++) {
      List<String> expected = MODEL.replicas(ring, i);
      assertThat(replicas).containsEntry(ring.tokens().get(i), expected);
      assertThat(expected)
          .isSubsetOf(
              // the write node of one server and the memory node of the other
              expected.contains("127.0.0.1")
                  ? List.of("127.0.0.1", "127.0.0.4")
                  : List.of("127.0.0.3", "127.0.0.2"));
    }
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

  private static void aServerDies(TestCluster cluster, AcknowledgedWrites rows) {
    List<Node> dead = List.of(cluster.node(3), cluster.node(4));
    dead.forEach(cluster::kill);
    await()
        .atMost(Duration.ofSeconds(180))
        // reads fail until the others notice
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> {
              // R = 1: every row has a copy on the other server
              rows.check(cluster.node(1), DefaultConsistencyLevel.ONE);
              rows.check(cluster.node(2), DefaultConsistencyLevel.LOCAL_ONE);
            });
    dead.forEach(node -> node.start(StartListener.SILENT));
    rows.check(cluster.node(1), DefaultConsistencyLevel.ALL);
  }

  private static void aNodeWithoutAClassIsRefused(TestCluster cluster, AcknowledgedWrites rows) {
    assertThatThrownBy(() -> cluster.cluster().addNode(Location.DEFAULT, StartListener.SILENT))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("cannot join: keyspace heterogeneous is under HeterogeneousStrategy")
        .hasMessageContaining("the rack is 'rack1', legal: SERVER/CLASS");
    assertThat(cluster.node(7).isAlive()).isFalse();
    // reads alone: until the others forget it, a minute, a write at ALL waits for it, too
    rows.check(cluster.node(1), DefaultConsistencyLevel.ALL);
  }

  /** Only the joining node gains copies, so every row is there at once, without a repair. */
  private static void aNodeJoinsWithTokensThatGiveOthersNothing(
      TestCluster cluster, AcknowledgedWrites rows) throws InterruptedException {
    String name = "127.0.0.6";
    RingNode joining = new RingNode(name, "dc1", "s4/write", tokens(cluster));
    rows.start(cluster.live());

    Node joined =
        cluster
            .cluster()
            .addNode(new Location("dc1", joining.rack()), joining.tokens(), StartListener.SILENT);

    rows.stop();
    assertThat(joined.address()).isEqualTo(name);
    rows.check(cluster.node(1), DefaultConsistencyLevel.ALL);
    cluster.cleanup(KEYSPACE);
    await()
        .alias("a copy may be late")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(rows::checkEverywhere);
    TokenRing after = survey(cluster);
    Map<Long, List<String>> replicas = replicas(cluster.node(1));
    for (int i = 0; i < after.tokens().size(); i++) {
      assertThat(replicas).containsEntry(after.tokens().get(i), MODEL.replicas(after, i));
    }
    assertThat(replicas.values()).anyMatch(nodes -> nodes.contains(name));
  }

  /** As {@code engine tokens} finds them: as many as the other write nodes have. */
  private static List<Long> tokens(TestCluster cluster) {
    JoinTokens found = JoinTokens.find(access(cluster), "dc1", "s4/write", OptionalInt.empty());
    assertThat(found.keyspaces()).containsExactly(KEYSPACE);
    assertThat(found.tokens()).hasSize(4);
    return found.tokens();
  }

  private static RemoteAccess access(TestCluster cluster) {
    List<ContactPoint> points =
        cluster.live().stream()
            .map(node -> new ContactPoint(node.address(), node.cqlPort()))
            .toList();
    return new RemoteAccess(points, null, null, OptionalInt.empty(), null);
  }

  private static TokenRing survey(TestCluster cluster) {
    return RingSurvey.of(access(cluster), List.of()).ring();
  }
}
