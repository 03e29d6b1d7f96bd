package io.counterpart.cassandra.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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

/** Nodes 10.DC.RACK.x with random tokens. */
@ExtendWith(SeededRandom.class)
class PorStrategyTest {
  private static final int TOKENS = 4;

  private final IEndpointSnitch snitch = new ByAddress();
  private final TokenMetadata metadata = new TokenMetadata(snitch);

  /** The second number of the address is the datacenter, the third the rack. */
  private static final class ByAddress extends AbstractNetworkTopologySnitch {
    @Override
    public String getDatacenter(InetAddressAndPort node) {
      return "dc" + node.getHostAddress(false).split("\\.")[1];
    }

    @Override
    public String getRack(InetAddressAndPort node) {
      return "rack" + node.getHostAddress(false).split("\\.")[2];
    }
  }

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }

  @Test
  void n_nodes_have_n_replica_sets_and_each_arc_begins_with_the_owner_of_its_token(Random random) {
    join("10.1.1.%d", 7, random);
    PorStrategy three = strategy(Map.of("dc1", "3"));

    Set<Set<InetAddressAndPort>> sets = new HashSet<>();
    for (Token token : metadata.sortedTokens()) {
      List<InetAddressAndPort> replicas = replicas(three, token, metadata);
      assertThat(replicas).hasSize(3).doesNotHaveDuplicates();
      assertThat(replicas).startsWith(metadata.getEndpoint(token));
      sets.add(Set.copyOf(replicas));
    }
    assertThat(sets).hasSize(7);
  }

  @Test
  void does_not_depend_on_the_order_in_which_nodes_joined(Random random) {
    join("10.1.1.%d", 6, random);
    TokenMetadata other = new TokenMetadata(snitch);
    for (int node = 6; node >= 1; node--) {
      other.updateNormalTokens(
          metadata.getTokens(node("10.1.1.%d", node)), node("10.1.1.%d", node));
    }
    PorStrategy three = strategy(Map.of("dc1", "3"));

    for (Token token : metadata.sortedTokens()) {
      assertThat(replicas(three, token, other)).isEqualTo(replicas(three, token, metadata));
    }
  }

  @Test
  void each_datacenter_has_its_copies_in_as_many_racks_as_it_has(Random random) {
    join("10.1.1.%d", 3, random);
    join("10.1.2.%d", 3, random);
    join("10.2.1.%d", 3, random);
    PorStrategy strategy = strategy(Map.of("dc1", "3", "dc2", "2"));

    for (Token token : metadata.sortedTokens()) {
      List<InetAddressAndPort> replicas = replicas(strategy, token, metadata);
      assertThat(replicas).hasSize(5).doesNotHaveDuplicates();
      List<InetAddressAndPort> first =
          replicas.stream().filter(node -> snitch.getDatacenter(node).equals("dc1")).toList();
      assertThat(first).hasSize(3);
      assertThat(first.stream().map(snitch::getRack).distinct()).hasSize(2);
    }
  }

  @Test
  void keeps_as_many_copies_as_there_are_nodes_where_these_are_fewer(Random random) {
    join("10.1.1.%d", 2, random);
    PorStrategy strategy = strategy(Map.of("dc1", "3", "dc9", "1"));

    assertThat(replicas(strategy, metadata.sortedTokens().get(0), metadata)).hasSize(2);
  }

  @Test
  void has_the_local_consistency_levels_of_the_network_topology_strategy() {
    PorStrategy strategy = strategy(Map.of("dc1", "3", "dc2", "2"));

    assertThat(strategy).isInstanceOf(NetworkTopologyStrategy.class);
    assertThat(strategy.getReplicationFactor().allReplicas).isEqualTo(5);
    assertThat(strategy.getReplicationFactor("dc2").allReplicas).isEqualTo(2);
    assertThat(strategy.hasSameSettings(strategy(Map.of("dc2", "2", "dc1", "3")))).isTrue();
    assertThat(strategy.hasSameSettings(strategy(Map.of("dc1", "3")))).isFalse();
  }

  @Test
  void a_node_that_leaves_hands_its_arcs_to_pending_replicas(Random random) {
    join("10.1.1.%d", 6, random);
    PorStrategy three = strategy(Map.of("dc1", "3"));
    InetAddressAndPort leaving = node("10.1.1.%d", 4);

    metadata.addLeavingEndpoint(leaving);
    metadata.calculatePendingRanges(three, "k");

    TokenMetadata afterwards = metadata.cloneAfterAllLeft();
    for (Token token : metadata.sortedTokens()) {
      List<InetAddressAndPort> pending =
          new ArrayList<>(metadata.pendingEndpointsForToken(token, "k").endpointList());
      List<InetAddressAndPort> gaining = new ArrayList<>(replicas(three, token, afterwards));
      gaining.removeAll(replicas(three, token, metadata));
      assertThat(pending).containsExactlyInAnyOrderElementsOf(gaining);
    }
  }

  @Test
  void refuses_a_join_that_leaves_others_without_data_and_names_tokens_that_do_not(Random random) {
    join("10.1.1.%d", 7, random);
    PorStrategy three = strategy(Map.of("dc1", "3"));
    InetAddressAndPort joining = node("10.1.1.%d", 50);

    String message = "";
    // now and then all random tokens lie in arcs of the successor
    for (int i = 0; i < 20 && message.isEmpty(); i++) {
      message = refusal(three, tokens(TOKENS, random), joining);
    }

    assertThat(message)
        .contains("10.1.1.50:7000 cannot join with these tokens", "keyspace k is under PorStrategy")
        .contains("its successor by hash, such as initial_token: ");
    List<Token> legal = new ArrayList<>();
    for (String token : message.replaceAll(".*initial_token: ", "").split(",")) {
      legal.add(new LongToken(Long.parseLong(token)));
    }
    assertThat(legal).hasSize(TOKENS);
    assertThat(three.getPendingAddressRanges(metadata, legal, joining).ranges()).isNotEmpty();
    assertThat(metadata.isMember(joining)).as("asking does not let it in").isFalse();
  }

  @Test
  void refuses_a_replacement_on_another_address(Random random) {
    join("10.1.1.%d", 7, random);
    PorStrategy three = strategy(Map.of("dc1", "3"));

    assertThat(refusal(three, metadata.getTokens(node("10.1.1.%d", 2)), node("10.1.1.%d", 60)))
        .contains("legal: a replacement on the address of the node that it replaces");
  }

  @Test
  void refuses_bad_options_with_the_legal_range() {
    refused(Map.of("dc1", "3/1"), "dc1 is '3/1', legal: a whole number from 0 to 9999");
    refused(Map.of("dc1", "many"), "dc1 is 'many', legal: a whole number from 0 to 9999");
    refused(Map.of("dc1", "-1"), "dc1 is '-1', legal: a whole number from 0 to 9999");
    assertThatThrownBy(() -> PorOptions.requireDatacenters(Set.of("dc9"), Set.of("dc2", "dc1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("datacenters are [dc9], legal: at least one of [dc1, dc2]");
    assertThatThrownBy(() -> PorOptions.requireDatacenters(Set.of(), Set.of("dc1")))
        .hasMessageContaining("datacenters are none, legal: at least one of [dc1]");
  }

  @Test
  void an_illegal_replication_factor_is_left_for_the_constructor_to_refuse() {
    Map<String, String> options = new HashMap<>(Map.of("replication_factor", "x"));

    PorStrategy.prepareOptions(options, Map.of());

    assertThat(options).containsEntry("replication_factor", "x");
    refused(options, "replication_factor is 'x', legal: a whole number from 0 to 9999");
  }

  private void refused(Map<String, String> options, String message) {
    assertThatThrownBy(() -> strategy(options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refuses_a_keyspace_while_a_node_joins_that_would_leave_others_without_its_rows(
      Random random) {
    join("10.1.1.%d", 7, random);
    PorStrategy three = strategy(Map.of("dc1", "3"));
    InetAddressAndPort joining = node("10.1.1.%d", 50);
    List<Token> unsafe = tokens(TOKENS, random);
    while (refusal(three, unsafe, joining).isEmpty()) {
      unsafe = tokens(TOKENS, random);
    }
    three.requireSafeJoins();

    metadata.addBootstrapTokens(unsafe, joining);

    assertThatThrownBy(three::requireSafeJoins)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("10.1.1.50:7000 is joining, legal: wait until it has joined");
  }

  /** The message; empty if the node may join. */
  private String refusal(PorStrategy strategy, Iterable<Token> tokens, InetAddressAndPort joining) {
    List<Token> all = new ArrayList<>();
    tokens.forEach(all::add);
    try {
      strategy.getPendingAddressRanges(metadata, all, joining);
    } catch (ConfigurationException e) {
      return String.valueOf(e.getMessage());
    }
    return "";
  }

  private PorStrategy strategy(Map<String, String> options) {
    return new PorStrategy("k", metadata, snitch, options);
  }

  private static List<InetAddressAndPort> replicas(
      PorStrategy strategy, Token token, TokenMetadata ring) {
    return strategy.calculateNaturalReplicas(token, ring).endpointList();
  }

  private void join(String pattern, int nodes, Random random) {
    for (int node = 1; node <= nodes; node++) {
      metadata.updateNormalTokens(tokens(TOKENS, random), node(pattern, node));
    }
  }

  private static List<Token> tokens(int count, Random random) {
    return random.longs(count).<Token>mapToObj(LongToken::new).toList();
  }

  private static InetAddressAndPort node(String pattern, int number) {
    try {
      return InetAddressAndPort.getByName(pattern.formatted(number) + ":7000");
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
