package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The coordinators that an application's requests reach, beside Cassandra's natural endpoints. */
@OnCluster(Shape.THREE_NODES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrimaryReplicaPolicyIT {
  private static final String KEYSPACE = "primary_policy";
  private static final int KEYS = 200;
  private static final Duration LIMIT = Sessions.PATIENT;

  private static final String READ = "SELECT v FROM %s.t WHERE k = ?";

  /** As an application's application.conf would have it. */
  private static final String CONFIG =
      """
      datastax-java-driver {
        basic.load-balancing-policy {
          class = io.counterpart.driver.PrimaryReplicaPolicy
          local-datacenter = dc1
        }
        basic.request.timeout = 120 seconds
        advanced.connection.init-query-timeout = 60 seconds
        advanced.heartbeat.timeout = 60 seconds
        advanced.control-connection.timeout = 60 seconds
        advanced.metadata.schema.request-timeout = 60 seconds
        advanced.netty.io-group.shutdown.quiet-period = 0
        advanced.netty.admin-group.shutdown.quiet-period = 0
        profiles.shuffled.basic.load-balancing-policy.class = DefaultLoadBalancingPolicy
      }
      """;

  private TestCluster cluster;
  private CqlSession session;
  private List<InetSocketAddress> primaries;

  @BeforeAll
  void connect(TestCluster running) {
    cluster = running;
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute(
        "CREATE TABLE %s.t (k text PRIMARY KEY, v int) WITH speculative_retry = 'NEVER'"
            .formatted(KEYSPACE));
    session =
        CqlSession.builder()
            .withConfigLoader(DriverConfigLoader.fromString(CONFIG))
            .addContactPoint(address(cluster.node(2)))
            .build();
    cluster.live().forEach(node -> Sessions.connected(session, node));
    primaries = primaries();
  }

  @AfterAll
  void disconnect() {
    session.close();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void the_primary_coordinates_writes_and_reads() {
    assertThat(coordinators("INSERT INTO %s.t (v, k) VALUES (1, ?)", "default"))
        .isEqualTo(primaries);
    assertThat(coordinators(READ, "default")).isEqualTo(primaries);
    assertThat(primaries.stream().distinct()).hasSize(3);
  }

  @Test
  void another_profile_keeps_its_own_policy() {
    List<InetSocketAddress> shuffled = coordinators(READ, "shuffled");

    // a third of the reads, by chance: nine standard deviations below the 60 % asked for
    assertThat(atPrimary(shuffled)).isBetween(1, KEYS * 6 / 10);
  }

  @Test
  void the_others_share_the_rows_of_a_primary_that_is_down() {
    Node down = cluster.node(3);
    ((InternalDriverContext) session.getContext())
        .getEventBus()
        .fire(TopologyEvent.forceDown(address(down)));
    awaitState(down, NodeState.FORCED_DOWN);

    // the policy hears of it a moment later, and so does the pool, which cuts what is under way
    List<InetSocketAddress> used =
        await()
            .atMost(LIMIT)
            .ignoreExceptionsInstanceOf(DriverException.class)
            .until(() -> coordinators(READ, "default"), nodes -> !nodes.contains(address(down)));

    List<InetSocketAddress> substitutes = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      if (primaries.get(key).equals(address(down))) {
        substitutes.add(used.get(key));
      } else {
        assertThat(used.get(key)).isEqualTo(primaries.get(key));
      }
    }
    Map<InetSocketAddress, Long> shares =
        substitutes.stream().collect(Collectors.groupingBy(node -> node, Collectors.counting()));
    assertThat(shares).containsOnlyKeys(address(cluster.node(1)), address(cluster.node(2)));
    assertThat(Collections.min(shares.values())).isGreaterThan(substitutes.size() / 5);
    assertThat(coordinators(READ, "default")).as("each row keeps its substitute").isEqualTo(used);

    ((InternalDriverContext) session.getContext())
        .getEventBus()
        .fire(TopologyEvent.forceUp(address(down)));
    awaitState(down, NodeState.UP);
    // the policy hears of it on a thread of its own, and a pool's first connection may still be
    // busy
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(coordinators(READ, "default")).isEqualTo(primaries));
  }

  /** A node that hangs is up for the driver: only requests without answers tell. */
  @Test
  void a_primary_that_hangs_gets_a_few_requests_and_no_more() throws Exception {
    Node hanging = cluster.node(3);
    int row = primaries.indexOf(address(hanging));
    PreparedStatement read = session.prepare(READ.formatted(KEYSPACE));
    BoundStatement ofRow = read.bind("k" + row).setConsistencyLevel(DefaultConsistencyLevel.ONE);
    var coordinator = Sessions.connected(session, hanging);
    assertThat(session.execute(ofRow).getExecutionInfo().getCoordinator()).isEqualTo(coordinator);

    List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
    hanging.pause();
    try {
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                sent.add(session.executeAsync(ofRow));
                return sent.stream().anyMatch(answer -> answer.toCompletableFuture().isDone());
              });
    } finally {
      hanging.resume();
    }

    int hung = 0;
    for (CompletionStage<AsyncResultSet> answer : sent) {
      AsyncResultSet rows = answer.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      hung += coordinator.equals(rows.getExecutionInfo().getCoordinator()) ? 1 : 0;
    }
    // more were sent if the substitute, too, was slow to answer the first one
    assertThat(hung).as("requests to the hanging node, of %d", sent.size()).isBetween(1, 60);
  }

  @Test
  void nodes_list_the_policy_among_their_clients() {
    assertThat(
            cluster.query(
                cluster.node(1),
                DefaultConsistencyLevel.ONE,
                "SELECT client_options FROM system_views.clients"))
        .anySatisfy(row -> assertThat(row.getFormattedContents()).contains("PrimaryReplicaPolicy"));
  }

  @Test
  void applications_get_no_third_party_class() throws IOException {
    Path built = Installation.locate().root().resolve("driver/target");
    List<Path> jars;
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(built, "counterpart-driver-*.jar")) {
      jars = StreamSupport.stream(found.spliterator(), false).toList();
    }

    assertThat(jars).isNotEmpty();
    for (Path file : jars) {
      try (JarFile jar = new JarFile(file.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class")))
            .isNotEmpty()
            .allMatch(name -> name.startsWith("io/counterpart/driver/"));
      }
    }
  }

  private void awaitState(Node node, NodeState state) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                session
                    .getMetadata()
                    .findNode(address(node))
                    .filter(found -> found.getState() == state)
                    .isPresent());
  }

  private List<InetSocketAddress> coordinators(String cql, String profile) {
    PreparedStatement prepared = session.prepare(cql.formatted(KEYSPACE));
    List<InetSocketAddress> coordinators = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      BoundStatement statement =
          prepared
              .bind("k" + key)
              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
              .setExecutionProfileName(profile);
      coordinators.add(
          (InetSocketAddress)
              Objects.requireNonNull(session.execute(statement).getExecutionInfo().getCoordinator())
                  .getEndPoint()
                  .resolve());
    }
    return coordinators;
  }

  private int atPrimary(List<InetSocketAddress> coordinators) {
    int same = 0;
    for (int key = 0; key < KEYS; key++) {
      same += coordinators.get(key).equals(primaries.get(key)) ? 1 : 0;
    }
    return same;
  }

  /** The first natural endpoint of each key, by Cassandra's own word. */
  private List<InetSocketAddress> primaries() {
    List<InetSocketAddress> found = new ArrayList<>();
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      for (int key = 0; key < KEYS; key++) {
        List<?> endpoints =
            (List<?>)
                jmx.invoke(
                    "org.apache.cassandra.db:type=StorageService",
                    "getNaturalEndpointsWithPort",
                    new Object[] {KEYSPACE, "t", "k" + key},
                    new String[] {"java.lang.String", "java.lang.String", "java.lang.String"});
        String host = endpoints.get(0).toString().split(":")[0];
        found.add(
            cluster.live().stream()
                .filter(node -> node.address().equals(host))
                .map(PrimaryReplicaPolicyIT::address)
                .findFirst()
                .orElseThrow());
      }
    }
    return found;
  }

  private static InetSocketAddress address(Node node) {
    return new InetSocketAddress(node.address(), node.cqlPort());
  }
}
