package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.HashOrder;
import io.counterpart.core.placement.Host;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.locator.TokenMetadata.Topology;
import org.apache.cassandra.utils.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The {@link HashOrder} of each datacenter in one state of the ring, by Cassandra's names of nodes.
 * Only nodes with tokens count: a node that is being replaced stays in the topology without any.
 * Immutable and thread-safe.
 */
final class NodeOrders {
  private final Topology topology;
  private final List<Token> tokens;
  private final Map<String, HashOrder> orders = new HashMap<>();
  private final Map<InetAddressAndPort, Host> hosts = new HashMap<>();
  private final Map<String, InetAddressAndPort> nodes = new HashMap<>();
  private final Map<InetAddressAndPort, String> datacenters = new HashMap<>();

  private NodeOrders(Topology topology, List<Token> tokens) {
    this.topology = topology;
    this.tokens = tokens;
  }

  static NodeOrders of(TokenMetadata metadata) {
    NodeOrders orders = new NodeOrders(metadata.getTopology(), metadata.sortedTokens());
    orders
        .topology
        .getDatacenterEndpoints()
        .asMap()
        .forEach(
            (datacenter, members) -> {
              List<Host> inRing = new ArrayList<>();
              for (InetAddressAndPort node : members) {
                if (metadata.isMember(node)) {
                  inRing.add(orders.add(node, datacenter));
                }
              }
              if (!inRing.isEmpty()) {
                orders.orders.put(datacenter, HashOrder.of(inRing));
              }
            });
    return orders;
  }

  private Host add(InetAddressAndPort node, String datacenter) {
    Pair<String, String> location = topology.getLocation(node);
    Host host = new Host(node.getHostAddressAndPort(), location.right);
    hosts.put(node, host);
    nodes.put(host.address(), node);
    datacenters.put(node, datacenter);
    return host;
  }

  /**
   * Whether they are of this state. Cassandra replaces both objects whenever one of them changes,
   * so identity tells, and costs nothing on the way of a request.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(TokenMetadata metadata) {
    return metadata.getTopology() == topology && metadata.sortedTokens() == tokens;
  }

  /** Datacenters that have nodes with tokens. */
  Set<String> datacenters() {
    return orders.keySet();
  }

  /** The datacenter of a node with tokens. */
  String datacenter(InetAddressAndPort node) {
    return known(datacenters.get(node));
  }

  /** The replicas of an arc within its owner's datacenter, the owner first. */
  List<InetAddressAndPort> replicas(InetAddressAndPort owner, int copies) {
    HashOrder order = known(orders.get(datacenter(owner)));
    return order.replicas(known(hosts.get(owner)), copies).stream()
        .map(host -> known(nodes.get(host.address())))
        .toList();
  }

  private static <T> T known(@Nullable T value) {
    return Objects.requireNonNull(value, "a node without tokens");
  }
}
