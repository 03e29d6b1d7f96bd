package io.counterpart.cassandra.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.TokenMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes 10.DC.SERVER.CLASS with random tokens; classes 1 write, 2 read, 3 memory, 4 none. */
@ExtendWith(SeededRandom.class)
class HeterogeneousStrategyTest {
  private static final int TOKENS = 4;
  private static final List<String> CLASSES = List.of("write", "read", "memory");

  private final IEndpointSnitch snitch = new ByAddress();
  private final TokenMetadata metadata = new TokenMetadata(snitch);

  private static final class ByAddress extends AbstractNetworkTopologySnitch {
    @Override
    public String getDatacenter(InetAddressAndPort node) {
      return "dc" + part(node, 1);
    }

    @Override
    public String getRack(InetAddressAndPort node) {
      int engine = Integer.parseInt(part(node, 3));
      return engine > 3 ? "rack1" : "s" + part(node, 2) + "/" + CLASSES.get(engine - 1);
    }
  }

  private static String part(InetAddressAndPort node, int index) {
    return node.getHostAddress(false).split("\\.")[index];
  }

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }

  @Test
  void each_datacenter_has_its_quotas_on_distinct_servers(Random random) {
    join(1, 6, random);
    join(2, 5, random);
    HeterogeneousStrategy strategy = strategy(options("dc1", "4", "dc2", "3", 3, 2));

    for (Token token : metadata.sortedTokens()) {
      List<InetAddressAndPort> replicas = replicas(strategy, token, metadata);
      assertThat(replicas).hasSize(7).doesNotHaveDuplicates();
      assertThat(classes(replicas, "1"))
          .containsExactlyInAnyOrder("write", "write", "read", "memory");
      // (3, 3, 2): one write copy, no read copy, two in memory
      assertThat(classes(replicas, "2")).containsExactlyInAnyOrder("write", "memory", "memory");
      assertThat(replicas.stream().map(node -> part(node, 1) + part(node, 2)))
          .doesNotHaveDuplicates();
      assertThat(part(replicas.get(0), 1))
          .as("the owner's datacenter leads")
          .isEqualTo(part(metadata.getEndpoint(token), 1));
    }
  }

  private List<String> classes(List<InetAddressAndPort> replicas, String datacenter) {
    return replicas.stream()
        .filter(node -> part(node, 1).equals(datacenter))
        .map(node -> snitch.getRack(node).replaceAll(".*/", ""))
        .toList();
  }

  @Test
  void tokens_within_an_arc_have_the_replicas_of_its_end(Random random) {
    join(1, 4, random);
    HeterogeneousStrategy strategy = strategy(options("dc1", "3", 2, 2));

    for (int i = 0; i < 200; i++) {
      Token token = new LongToken(random.nextLong());
      Token end = TokenMetadata.firstToken(metadata.sortedTokens(), token);
      assertThat(replicas(strategy, token, metadata)).isEqualTo(replicas(strategy, end, metadata));
    }
  }

  @Test
  void a_node_that_leaves_hands_its_arcs_to_pending_replicas(Random random) {
    join(1, 5, random);
    HeterogeneousStrategy strategy = strategy(options("dc1", "3", 2, 2));

    metadata.addLeavingEndpoint(node(1, 3, 2));
    metadata.calculatePendingRanges(strategy, "k");

    TokenMetadata afterwards = metadata.cloneAfterAllLeft();
    for (Token token : metadata.sortedTokens()) {
      List<InetAddressAndPort> gaining = new ArrayList<>(replicas(strategy, token, afterwards));
      gaining.removeAll(replicas(strategy, token, metadata));
      assertThat(metadata.pendingEndpointsForToken(token, "k").endpointList())
          .containsExactlyInAnyOrderElementsOf(gaining);
    }
  }

  @Test
  void refuses_a_join_that_leaves_others_without_data_and_names_tokens_that_do_not(Random random) {
    join(1, 5, random);
    HeterogeneousStrategy strategy = strategy(options("dc1", "3", 2, 2));

    String message = "";
    for (int i = 0; i < 100 && !message.contains("initial_token"); i++) {
      message = refusal(strategy, tokens(TOKENS, random), node(1, 9, 1));
    }

    assertThat(message)
        .contains("10.1.9.1:7000 cannot join with these tokens: keyspace k is under Heterogeneous");
    List<Token> legal = new ArrayList<>();
    for (String token : message.replaceAll(".*initial_token: ", "").split(",")) {
      legal.add(new LongToken(Long.parseLong(token)));
    }
    assertThat(refusal(strategy, legal, node(1, 9, 1))).isEmpty();
    assertThat(metadata.isMember(node(1, 9, 1))).as("asking does not let it in").isFalse();
  }

  @Test
  void refuses_a_keyspace_while_a_node_joins_that_would_leave_others_without_its_rows(
      Random random) {
    join(1, 5, random);
    HeterogeneousStrategy strategy = strategy(options("dc1", "3", 2, 2));
    InetAddressAndPort joining = node(1, 9, 1);
    List<Token> unsafe = tokens(TOKENS, random);
    while (refusal(strategy, unsafe, joining).isEmpty()) {
      unsafe = tokens(TOKENS, random);
    }
    strategy.requireSafeJoins();

    metadata.addBootstrapTokens(unsafe, joining);

    assertThatThrownBy(strategy::requireSafeJoins)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("10.1.9.1:7000 is joining, legal: wait until it has joined");
  }

  @Test
  void refuses_a_node_without_an_engine_class(Random random) {
    join(1, 5, random);

    assertThat(refusal(strategy(options("dc1", "3", 2, 2)), tokens(1, random), node(1, 9, 4)))
        .isEqualTo(
            "10.1.9.4:7000 cannot join: keyspace k is under HeterogeneousStrategy, and the rack is"
                + " 'rack1', legal: SERVER/CLASS, where CLASS is one of [write, read, memory]");
    assertThat(refusal(strategy(options("dc1", "3", 2, 2)), tokens(1, random), node(2, 9, 4)))
        .as("in a datacenter without copies")
        .isEmpty();
  }

  @Test
  void names_what_the_ring_lacks(Random random) {
    join(1, 1, random);
    HeterogeneousStrategy four = strategy(options("dc1", "4", 3, 2));
    assertThatThrownBy(four::requireRing)
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "dc1: nodes of class write are 1, legal: 2 and above, for copies by class write 2, read"
                + " 1, memory 1");
    strategy(options("dc1", "3", 2, 2)).requireRing();

    metadata.updateNormalTokens(tokens(1, random), node(1, 1, 4));

    assertThatThrownBy(() -> strategy(options("dc1", "3", 2, 2)).requireRing())
        .hasMessage(
            "dc1: node 10.1.1.4:7000 is in rack 'rack1', legal: SERVER/CLASS, where CLASS is one of"
                + " [write, read, memory]");
  }

  @Test
  void has_the_local_consistency_levels_of_the_network_topology_strategy() {
    HeterogeneousStrategy strategy = strategy(options("dc1", "3", 2, 2));

    assertThat(strategy).isInstanceOf(NetworkTopologyStrategy.class);
    assertThat(strategy.getReplicationFactor("dc1").allReplicas).isEqualTo(3);
    assertThat(strategy.hasSameSettings(strategy(options("dc1", "3", 2, 2)))).isTrue();
    assertThat(strategy.hasSameSettings(strategy(options("dc1", "3", 3, 2)))).isFalse();
  }

  @Test
  void refuses_bad_options_with_the_legal_range() {
    refused(
        Map.of("dc1", "3", "read_quorum", "2"),
        "write_quorum is missing, legal: a whole number from 1 to the copies of each datacenter");
    refused(
        Map.of("dc1", "3", "write_quorum", "2", "read_quorum", "many"),
        "read_quorum is 'many', legal: a whole number from 1 to the copies");
    refused(
        options("dc1", "3", 4, 2),
        "dc1: write quorum (W) is 4, legal: 1 to 3, the copies (N); N is 'dc1', W write_quorum");
    refused(options("dc1", "3", 2, 1), "read quorum (R) is 2 + 1 = 3, legal: 4 to 6");
    refused(options("dc1", "3/1", 2, 2), "dc1 is '3/1', legal: a whole number from 0 to 9999");
    refused(options("dc1", "3", "dc2", "5", 2, 2), "dc2: write quorum (W) + read quorum (R)");
  }

  @Test
  void the_replication_factor_stands_for_each_datacenter_and_an_illegal_one_is_refused() {
    Map<String, String> options = new HashMap<>(options("replication_factor", "x", 2, 2));

    HeterogeneousStrategy.prepareOptions(options, Map.of());

    assertThat(options).containsEntry("replication_factor", "x");
    refused(options, "replication_factor is 'x', legal: a whole number from 0 to 9999");
  }

  /** Cassandra keeps the number of a datacenter that has copies; the quorums would change alone. */
  @Test
  void a_replication_factor_that_would_leave_other_numbers_is_refused() {
    Map<String, String> options = new HashMap<>(options("replication_factor", "5", 3, 3));

    HeterogeneousStrategy.prepareOptions(options, options("dc1", "3", 2, 2));

    assertThat(options).containsEntry("replication_factor", "5");
    refused(options, "replication_factor is '5', legal: each datacenter by its name");
  }

  @Test
  void a_node_that_leaves_meanwhile_fails_no_change_of_the_schema(Random random) {
    TokenMetadata leaving =
        new TokenMetadata(snitch) {
          @Override
          public InetAddressAndPort getEndpoint(Token token) {
            InetAddressAndPort owner = super.getEndpoint(token);
            removeEndpoint(owner);
            return owner;
          }
        };
    for (int engine = 1; engine <= CLASSES.size(); engine++) {
      leaving.updateNormalTokens(tokens(TOKENS, random), node(1, engine, engine));
    }
    HeterogeneousStrategy strategy =
        new HeterogeneousStrategy("k", leaving, snitch, options("dc1", "3", 2, 2));

    assertThatCode(strategy::requireRing).doesNotThrowAnyException();
  }

  @Test
  void a_move_is_refused_with_the_way_out(Random random) {
    join(1, 5, random);

    assertThat(refusal(strategy(options("dc1", "3", 2, 2)), tokens(1, random), node(1, 3, 2)))
        .startsWith("10.1.3.2:7000 cannot move")
        .contains("Restart it first");
  }

  @Test
  void a_node_of_a_datacenter_without_copies_may_move(Random random) {
    join(1, 5, random);
    metadata.updateNormalTokens(tokens(1, random), node(2, 1, 4));
    metadata.updateNormalTokens(tokens(1, random), node(2, 2, 4));

    assertThat(refusal(strategy(options("dc1", "3", 2, 2)), tokens(1, random), node(2, 1, 4)))
        .isEmpty();
  }

  private void refused(Map<String, String> options, String message) {
    assertThatThrownBy(() -> strategy(options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }

  /** The message; empty if the node may join. */
  private String refusal(
      HeterogeneousStrategy strategy, List<Token> tokens, InetAddressAndPort joining) {
    try {
      strategy.getPendingAddressRanges(metadata, tokens, joining);
      return "";
    } catch (ConfigurationException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private HeterogeneousStrategy strategy(Map<String, String> options) {
    return new HeterogeneousStrategy("k", metadata, snitch, options);
  }

  private static Map<String, String> options(String dc, String copies, int writes, int reads) {
    return Map.of(dc, copies, "write_quorum", "" + writes, "read_quorum", "" + reads);
  }

  private static Map<String, String> options(
      String dc1, String copies1, String dc2, String copies2, int writes, int reads) {
    Map<String, String> options = new HashMap<>(options(dc1, copies1, writes, reads));
    options.put(dc2, copies2);
    return options;
  }

  private static List<InetAddressAndPort> replicas(
      HeterogeneousStrategy strategy, Token token, TokenMetadata ring) {
    return strategy.calculateNaturalReplicas(token, ring).endpointList();
  }

  private void join(int datacenter, int servers, Random random) {
    for (int server = 1; server <= servers; server++) {
      for (int engine = 1; engine <= CLASSES.size(); engine++) {
        metadata.updateNormalTokens(tokens(TOKENS, random), node(datacenter, server, engine));
      }
    }
  }

  private static List<Token> tokens(int count, Random random) {
    return random.longs(count).<Token>mapToObj(LongToken::new).toList();
  }

  private static InetAddressAndPort node(int datacenter, int server, int engine) {
    try {
      return InetAddressAndPort.getByName("10.%d.%d.%d:7000".formatted(datacenter, server, engine));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
