package io.counterpart.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of nodes for requests on a ring of five nodes here and two elsewhere. */
class PrimaryReplicaPolicyTest {
  private static final String PROFILE = "primary";

  /** Tokens whose row hash is even, so that the redundant copies keep ring order; and odd. */
  private static final long EVEN = firstWithRemainder(0);

  private static final long ODD = firstWithRemainder(1);

  private final Set<Node> stalled = new HashSet<>();
  private FakeCluster cluster;
  private Node a;
  private Node b;
  private Node c;
  private Node d;
  private Node e;
  private Node far;

  @BeforeEach
  void makeRing() {
    cluster = new FakeCluster(config("dc1").build());
    // rows of these tests lie between a's and b's tokens: b is their primary
    a = cluster.add("dc1", -1000);
    far = cluster.add("dc2", 900);
    b = cluster.add("dc1", 1000);
    c = cluster.add("dc1", 2000);
    cluster.add("dc2", 2500);
    d = cluster.add("dc1", 3000);
    e = cluster.add("dc1", 4000);
    cluster.addKeyspace("ks", Map.of("class", FakeCluster.NETWORK, "dc1", "3", "dc2", "1"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void the_primary_of_the_local_datacenter_is_first_every_time() {
    PrimaryReplicaPolicy policy = policy();

    for (int i = 0; i < 100; i++) {
      List<Node> plan = plan(policy, request(EVEN));

      // the first natural replica of all is far
      assertThat(plan.subList(0, 3)).containsExactly(b, c, d);
      assertThat(plan.subList(3, 5)).containsExactlyInAnyOrder(a, e);
      assertThat(plan).hasSize(5).doesNotContain(far);
    }
  }

  @Test
  void the_routing_key_names_the_row_as_well_as_its_token() {
    PrimaryReplicaPolicy policy = policy();
    ByteBuffer key = ByteBuffer.wrap(new byte[] {7});
    long token =
        Long.parseLong(
            new Murmur3TokenFactory().format(new Murmur3TokenFactory().hash(key.duplicate())));

    List<Node> byKey =
        plan(policy, SimpleStatement.newInstance("SELECT").setKeyspace("ks").setRoutingKey(key));

    assertThat(byKey.subList(0, 3)).isEqualTo(plan(policy, request(token)).subList(0, 3));
  }

  @Test
  void rows_share_the_redundant_copies() {
    assertThat(plan(policy(), request(ODD)).subList(0, 3)).containsExactly(b, d, c);
  }

  @Test
  void the_remaining_nodes_take_turns() {
    PrimaryReplicaPolicy policy = policy();

    Set<Node> fourth = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      fourth.add(plan(policy, request(EVEN)).get(3));
    }

    assertThat(fourth).containsExactlyInAnyOrder(a, e);
  }

  @Test
  void the_rows_of_a_dead_primary_are_shared_until_it_is_back() {
    PrimaryReplicaPolicy policy = policy();
    policy.onDown(b);

    assertThat(plan(policy, request(EVEN)).subList(0, 2)).containsExactly(c, d);
    assertThat(plan(policy, request(ODD)).subList(0, 2)).containsExactly(d, c);
    assertThat(plan(policy, request(EVEN))).hasSize(4).doesNotContain(b);

    policy.onUp(b);
    assertThat(plan(policy, request(ODD)).get(0)).isEqualTo(b);
  }

  @Test
  void a_primary_that_does_not_answer_comes_after_the_other_replicas() {
    PrimaryReplicaPolicy policy = policy();
    stalled.add(b);

    assertThat(plan(policy, request(ODD)).subList(0, 3)).containsExactly(d, c, b);
  }

  @Test
  void a_dead_replica_leaves_the_plan_to_other_nodes() {
    PrimaryReplicaPolicy policy = policy();
    List.of(b, c, d).forEach(policy::onDown);

    assertThat(plan(policy, request(EVEN))).containsExactlyInAnyOrder(a, e);
  }

  @Test
  void another_datacenter_comes_last_if_the_driver_may_fail_over() {
    cluster.close();
    cluster =
        new FakeCluster(
            config("dc1")
                .withInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 1)
                .withBoolean(
                    DefaultDriverOption
                        .LOAD_BALANCING_DC_FAILOVER_ALLOW_FOR_LOCAL_CONSISTENCY_LEVELS,
                    true)
                .build());
    cluster.addKeyspace("ks", Map.of("class", FakeCluster.NETWORK, "dc1", "1", "dc2", "1"));
    Node there = cluster.add("dc2", 900);
    Node here = cluster.add("dc1", 1000);
    Node other = cluster.add("dc1", 2000);

    assertThat(plan(policy(), request(EVEN))).containsExactly(here, other, there);
  }

  @Test
  void a_request_without_a_row_goes_to_any_node() {
    assertThat(plan(policy(), SimpleStatement.newInstance("SELECT now() FROM system.local")))
        .containsExactlyInAnyOrder(a, b, c, d, e);
    assertThat(drained(policy().newQueryPlan(null, null))).hasSize(5);
  }

  @Test
  void a_strategy_that_the_driver_does_not_know_leaves_the_drivers_own_plan() {
    cluster.addKeyspace("other", Map.of("class", "org.example.OwnStrategy"));
    assertThat(cluster.metadata().getTokenMap()).isEmpty();
    PrimaryReplicaPolicy policy = policy();

    Set<Node> first = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      List<Node> plan = plan(policy, request(EVEN));
      assertThat(plan).containsExactlyInAnyOrder(a, b, c, d, e);
      first.add(plan.get(0));
    }

    assertThat(first).containsExactlyInAnyOrder(a, b, c, d, e);
  }

  @Test
  void the_local_datacenter_must_be_named() {
    cluster.close();
    cluster =
        new FakeCluster(
            FakeCluster.config()
                .startProfile(PROFILE)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ONE")
                .build());
    cluster.add("dc1", 1000);
    cluster
        .context()
        .getMetadataManager()
        .addContactPoints(Set.of(cluster.nodes().values().iterator().next().getEndPoint()));

    assertThatThrownBy(this::policy)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("basic.load-balancing-policy.local-datacenter");
  }

  @Test
  void nodes_are_told_the_policy() {
    assertThat(policy().getStartupConfiguration())
        .hasEntrySatisfying(
            "PrimaryReplicaPolicy",
            options -> assertThat(options).asString().contains("localDc=dc1"))
        .hasSize(1);
  }

  private static ProgrammaticDriverConfigLoaderBuilder config(String dc) {
    return FakeCluster.config()
        .startProfile(PROFILE)
        .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, dc);
  }

  private PrimaryReplicaPolicy policy() {
    PrimaryReplicaPolicy policy =
        new PrimaryReplicaPolicy(
            cluster.context(), PROFILE, (node, session) -> stalled.contains(node));
    policy.init(cluster.nodes(), (node, distance) -> {});
    return policy;
  }

  private static Request request(long token) {
    return SimpleStatement.newInstance("SELECT v FROM t WHERE k = ?")
        .setKeyspace(CqlIdentifier.fromCql("ks"))
        .setRoutingToken(new Murmur3TokenFactory().parse(Long.toString(token)));
  }

  private static List<Node> plan(PrimaryReplicaPolicy policy, Request request) {
    return drained(policy.newQueryPlan(request, session()));
  }

  private static List<Node> drained(Queue<Node> plan) {
    List<Node> nodes = new ArrayList<>();
    for (Node node = plan.poll(); node != null; node = plan.poll()) {
      nodes.add(node);
    }
    return nodes;
  }

  /** Without a keyspace; nothing else of it is used. */
  private static Session session() {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getKeyspace")) {
                return Optional.empty();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  /** The first token of b's arc whose row hash has this remainder by two. */
  private static long firstWithRemainder(int remainder) {
    for (long token = 901; token < 1000; token++) {
      int hash = RowHash.of(new Murmur3TokenFactory().parse(Long.toString(token)));
      if (hash % 2 == remainder) {
        return token;
      }
    }
    throw new AssertionError("no such token");
  }
}
