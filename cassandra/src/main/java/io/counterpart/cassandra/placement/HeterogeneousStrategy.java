package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.EngineNode;
import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.RangesAtEndpoint;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection.Builder.Conflict;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.locator.TokenMetadata.Topology;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.ClientWarn;
import org.jspecify.annotations.Nullable;

/**
 * A replication strategy for nodes with storage engines of different classes: of the N copies in a
 * datacenter N − R are on write-optimized nodes, N − W on read-optimized ones and W + R − N on
 * memory nodes, each on a server of its own. A node's rack is {@code server/class}. Datacenters and
 * local consistency levels are those of {@link NetworkTopologyStrategy}.
 *
 * <pre>{@code
 * CREATE KEYSPACE k WITH replication =
 *   {'class': 'io.counterpart.cassandra.placement.HeterogeneousStrategy', 'dc1': 3,
 *    'write_quorum': 2, 'read_quorum': 2}
 * }</pre>
 *
 * <p>Opt-in, with two costs. Drivers do not know the strategy: the Java driver then has the
 * replicas of no keyspace at all, so that requests are no longer token-aware. A node can join only
 * with tokens that give no copies to others; further ones are refused before anything is streamed.
 * Planned tokens under NetworkTopologyStrategy have neither.
 *
 * <p>Stateless but for the newest rings, which are derived; thread-safe.
 *
 * <p>Paper: MyCassandra §3.2.1, placement (3).
 */
public final class HeterogeneousStrategy extends NetworkTopologyStrategy {
  private static final String DRIVERS =
      "Drivers do not know HeterogeneousStrategy: the Java driver then has the replicas of no"
          + " keyspace at all, and requests are no longer token-aware. Racks by engine class with planned"
          + " tokens under NetworkTopologyStrategy keep the same quotas without that";

  private final TokenMetadata members;
  private final Map<String, EngineQuotas> quotas;
  private volatile @Nullable Rings newest;

  /**
   * Called by Cassandra.
   *
   * @throws ConfigurationException with the option, its value and the legal range
   */
  public HeterogeneousStrategy(
      String keyspace,
      TokenMetadata metadata,
      IEndpointSnitch snitch,
      @Nullable Map<String, String> options) {
    super(keyspace, metadata, snitch, HeterogeneousOptions.copies(options));
    this.members = metadata;
    this.quotas = HeterogeneousOptions.quotas(options);
  }

  /**
   * Turns {@code replication_factor} into a number for each datacenter, as {@link
   * NetworkTopologyStrategy} does. Cassandra looks for this very method in the class itself, and
   * drops what it throws: illegal values stay, for the constructor to refuse. So does a number that
   * Cassandra would not give to a datacenter with another one: the quorums would change without it.
   */
  public static void prepareOptions(Map<String, String> options, Map<String, String> previous) {
    String copies = options.get(REPLICATION_FACTOR);
    if (copies == null
        || HeterogeneousOptions.isCount(copies)
            && !HeterogeneousOptions.keepsOthers(options, previous, copies)) {
      NetworkTopologyStrategy.prepareOptions(options, previous);
    }
  }

  @Override
  public EndpointsForRange calculateNaturalReplicas(Token token, TokenMetadata metadata) {
    Token end = TokenMetadata.firstToken(metadata.sortedTokens(), token);
    Range<Token> range = new Range<>(metadata.getPredecessor(end), end);
    EndpointsForRange.Builder replicas = new EndpointsForRange.Builder(range);
    Map<String, EngineRing> rings = rings(metadata).byDatacenter();
    String first = metadata.getTopology().getLocation(metadata.getEndpoint(end)).left;
    // the datacenter of the token's owner leads, as under Cassandra's own strategies
    Stream.concat(Stream.of(first), quotas.keySet().stream().filter(each -> !each.equals(first)))
        .flatMap(datacenter -> Stream.ofNullable(rings.get(datacenter)))
        .flatMap(ring -> ring.replicas(token).stream())
        .forEach(node -> replicas.add(new Replica(node, range, true), Conflict.NONE));
    return replicas.build();
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConfigurationException if {@code address} has no engine class, or if other nodes would
   *     become replicas of ranges that Cassandra sends to {@code address} alone
   */
  @Override
  public RangesAtEndpoint getPendingAddressRanges(
      TokenMetadata metadata, Collection<Token> tokens, InetAddressAndPort address) {
    new EngineJoinCheck(keyspaceName, quotas).require(metadata, tokens, address);
    return super.getPendingAddressRanges(metadata, tokens, address);
  }

  /** Also at a node's start, when it knows no ring yet: Cassandra logs what is thrown then. */
  @Override
  protected void validateExpectedOptions() {
    PorOptions.requireDatacenters(configOptions.keySet(), recognizedOptions());
    super.validateExpectedOptions();
    requireRing();
  }

  /**
   * Looks whether the ring has what the quotas need.
   *
   * @throws ConfigurationException with the rack or the number of nodes, and what is legal
   */
  void requireRing() {
    TokenMetadata now = members.cachedOnlyTokenMap(); // gossip changes the live one meanwhile
    if (!now.sortedTokens().isEmpty()) {
      rings(now).byDatacenter().forEach(this::requireNodes);
    }
  }

  /**
   * @throws ConfigurationException if a node is joining that the keyspace would not have let join
   */
  void requireSafeJoins() {
    EngineJoinCheck check = new EngineJoinCheck(keyspaceName, quotas);
    JoinCheck.requireOfJoining(members, check::require);
  }

  private void requireNodes(String datacenter, EngineRing ring) {
    ring.strangers()
        .forEach(
            (node, rack) -> {
              throw new ConfigurationException(
                  "%s: node %s is in rack '%s', legal: %s"
                      .formatted(
                          datacenter, node.getHostAddressAndPort(), rack, EngineNode.RACK_FORM));
            });
    try {
      quotas(datacenter).requireNodes(datacenter, ring::nodes);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void maybeWarnOnOptions(ClientState state) {
    requireSafeJoins(); // asked for clients' statements alone
    super.maybeWarnOnOptions(state);
    ClientWarn.instance.warn(DRIVERS);
    rings(members.cachedOnlyTokenMap())
        .byDatacenter()
        .forEach(
            (datacenter, ring) -> {
              int copies = quotas(datacenter).copies();
              if (ring.distinctServers() < copies) {
                ClientWarn.instance.warn(
                    "%s: the %d copies of a row are on %d servers: some fail together"
                        .formatted(datacenter, copies, ring.distinctServers()));
              }
            });
  }

  @Override
  public boolean hasSameSettings(AbstractReplicationStrategy other) {
    return super.hasSameSettings(other) && quotas.equals(((HeterogeneousStrategy) other).quotas);
  }

  private EngineQuotas quotas(String datacenter) {
    return Objects.requireNonNull(quotas.get(datacenter));
  }

  private Rings rings(TokenMetadata metadata) {
    Rings known = newest;
    if (known == null || !known.isOf(metadata)) {
      Topology topology = metadata.getTopology();
      List<Token> tokens = metadata.sortedTokens();
      known = new Rings(topology, tokens, EngineRing.of(metadata, quotas));
      newest = known;
    }
    return known;
  }

  /** The rings by datacenter in one state of Cassandra's. */
  private record Rings(
      Topology topology, List<Token> tokens, Map<String, EngineRing> byDatacenter) {
    /**
     * Whether they are of this state. Cassandra replaces both objects whenever one of them changes,
     * so identity tells, and costs nothing on the way of a request.
     */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(TokenMetadata metadata) {
      return metadata.getTopology() == topology && metadata.sortedTokens() == tokens;
    }
  }
}
