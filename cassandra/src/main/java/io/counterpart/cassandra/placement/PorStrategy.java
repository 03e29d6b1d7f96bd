package io.counterpart.cassandra.placement;

import io.counterpart.cassandra.placement.address.PlacedAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.RangesAtEndpoint;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection.Builder.Conflict;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.ClientWarn;
import org.jspecify.annotations.Nullable;

/**
 * A replication strategy that keeps an arc on the owner of its token and on the nodes that follow
 * the owner in the order of hashes (PoR-S): n nodes have n replica sets, however their tokens lie.
 * Datacenters, racks, numbers of copies and local consistency levels are those of {@link
 * NetworkTopologyStrategy}.
 *
 * <pre>{@code
 * CREATE KEYSPACE k WITH replication =
 *   {'class': 'io.counterpart.cassandra.placement.PorStrategy', 'dc1': 3}
 * }</pre>
 *
 * <p>Opt-in, with two costs. Drivers do not know the strategy: the Java driver then has the
 * replicas of no keyspace at all, so that requests are no longer token-aware. A node can join only
 * with arcs of its successor in the order; others are refused before anything is streamed. Tokens
 * alone ({@code counterpart tokens}) give n replica sets without either cost.
 *
 * <p>Stateless but for the newest order of nodes, which is derived; thread-safe.
 *
 * <p>Paper: CRS, placement of replicas (PoR).
 */
public final class PorStrategy extends NetworkTopologyStrategy {
  private static final String DRIVERS =
      "Drivers do not know PorStrategy: the Java driver then has the replicas of no keyspace at"
          + " all, and requests are no longer token-aware. Ordered tokens under NetworkTopologyStrategy give"
          + " as many replica sets without that";

  private final TokenMetadata members;
  private volatile @Nullable NodeOrders newest;

  /**
   * Called by Cassandra.
   *
   * @throws ConfigurationException with the option, its value and the legal range
   */
  public PorStrategy(
      String keyspace,
      TokenMetadata metadata,
      IEndpointSnitch snitch,
      @Nullable Map<String, String> options) {
    super(keyspace, metadata, snitch, PorOptions.checked(options));
    this.members = metadata;
  }

  /**
   * Turns {@code replication_factor} into a number for each datacenter, as {@link
   * NetworkTopologyStrategy} does. Cassandra looks for this very method in the class itself, and
   * drops what it throws: illegal values stay, for the constructor to refuse.
   */
  public static void prepareOptions(Map<String, String> options, Map<String, String> previous) {
    String copies = options.get(REPLICATION_FACTOR);
    if (copies == null || PorOptions.isCopies(copies)) {
      NetworkTopologyStrategy.prepareOptions(options, previous);
    }
  }

  @Override
  public EndpointsForRange calculateNaturalReplicas(Token token, TokenMetadata metadata) {
    Token end = TokenMetadata.firstToken(metadata.sortedTokens(), token);
    Range<Token> range = new Range<>(metadata.getPredecessor(end), end);
    EndpointsForRange.Builder replicas = new EndpointsForRange.Builder(range);
    NodeOrders orders = orders(metadata);
    Set<String> open = new HashSet<>(getDatacenters());
    open.retainAll(orders.datacenters());
    var tokens = TokenMetadata.ringIterator(metadata.sortedTokens(), token, false);
    while (!open.isEmpty() && tokens.hasNext()) {
      InetAddressAndPort owner = metadata.getEndpoint(tokens.next());
      String datacenter = orders.datacenter(owner);
      int copies = getReplicationFactor(datacenter).allReplicas;
      if (open.remove(datacenter) && copies > 0) {
        for (InetAddressAndPort node : orders.replicas(owner, copies)) {
          replicas.add(new Replica(node, range, true), Conflict.NONE);
        }
      }
    }
    return replicas.build();
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConfigurationException if other nodes would become replicas of ranges that Cassandra
   *     sends to {@code address} alone
   */
  @Override
  public RangesAtEndpoint getPendingAddressRanges(
      TokenMetadata metadata, Collection<Token> tokens, InetAddressAndPort address) {
    new JoinCheck(keyspaceName, PorOptions.copies(this)).require(metadata, tokens, address);
    return super.getPendingAddressRanges(metadata, tokens, address);
  }

  /** Also when Cassandra opens the keyspace at a start, which then fails. */
  @Override
  public void validateOptions() {
    super.validateOptions();
    PlacedAddress.require(keyspaceName, datacenter -> getReplicationFactor(datacenter).allReplicas);
  }

  @Override
  protected void validateExpectedOptions() {
    PorOptions.requireDatacenters(configOptions.keySet(), recognizedOptions());
    super.validateExpectedOptions();
  }

  @Override
  public void maybeWarnOnOptions(ClientState state) {
    requireSafeJoins(); // asked for clients' statements alone
    super.maybeWarnOnOptions(state);
    ClientWarn.instance.warn(DRIVERS);
  }

  /**
   * @throws ConfigurationException if a node is joining that the keyspace would not have let join
   */
  void requireSafeJoins() {
    JoinCheck check = new JoinCheck(keyspaceName, PorOptions.copies(this));
    JoinCheck.requireOfJoining(members, check::require);
  }

  private NodeOrders orders(TokenMetadata metadata) {
    NodeOrders known = newest;
    if (known == null || !known.isOf(metadata)) {
      known = NodeOrders.of(metadata);
      newest = known;
    }
    return known;
  }
}
