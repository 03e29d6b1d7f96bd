package io.counterpart.core.placement;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * PoR-S: in each datacenter the owner of the token, then the nodes that follow it in {@link
 * HashOrder}. The owner is the first node of the datacenter on the way around the ring.
 *
 * <p>The plugin's {@code PorStrategy} decides by the same {@link HashOrder}.
 *
 * @param copies by datacenter, each 1 or more
 * @param addresses {@code ip:port} of the nodes by name; a node that is absent is hashed by its
 *     name
 */
public record HashOrderedReplication(Map<String, Integer> copies, Map<String, String> addresses)
    implements Replication {
  /** Checks and copies. */
  public HashOrderedReplication {
    copies = Map.copyOf(copies);
    addresses = Map.copyOf(addresses);
    copies.forEach(
        (datacenter, count) -> {
          if (count < 1) {
            throw new IllegalArgumentException(
                "copies in %s is %d, legal: 1 and above".formatted(datacenter, count));
          }
        });
  }

  @Override
  public List<String> replicas(TokenRing ring, int index) {
    return replicas(ring, index, byOwner(ring), ring.datacenters().size());
  }

  @Override
  public List<List<String>> replicas(TokenRing ring) {
    Map<String, List<String>> byOwner = byOwner(ring);
    int datacenters = ring.datacenters().size();
    return IntStream.range(0, ring.tokens().size())
        .mapToObj(index -> replicas(ring, index, byOwner, datacenters))
        .toList();
  }

  private static List<String> replicas(
      TokenRing ring, int index, Map<String, List<String>> byOwner, int datacenters) {
    List<String> chosen = new ArrayList<>();
    Set<String> closed = new HashSet<>();
    for (int i = index; closed.size() < datacenters; i++) {
      RingNode owner = ring.owner(i);
      if (closed.add(owner.datacenter())) {
        chosen.addAll(byOwner.getOrDefault(owner.name(), List.of()));
      }
    }
    return List.copyOf(chosen);
  }

  /** The replicas of a node's arcs within its datacenter; absent where there are no copies. */
  private Map<String, List<String>> byOwner(TokenRing ring) {
    Map<String, List<String>> byOwner = new HashMap<>();
    copies.forEach(
        (datacenter, wanted) -> {
          Map<Host, String> names = new HashMap<>();
          ring.nodes(datacenter).forEach(node -> names.put(host(node), node.name()));
          HashOrder order = HashOrder.of(names.keySet());
          names.forEach(
              (host, name) ->
                  byOwner.put(
                      name, order.replicas(host, wanted).stream().map(names::get).toList()));
        });
    return byOwner;
  }

  Host host(RingNode node) {
    return new Host(addresses.getOrDefault(node.name(), node.name()), node.rack());
  }

  @Override
  public int copies(String datacenter) {
    return copies.getOrDefault(datacenter, 0);
  }

  @Override
  public boolean byDatacenter() {
    return true;
  }

  @Override
  public Replication withCopies(String datacenter, int count) {
    Map<String, Integer> changed = new TreeMap<>(copies);
    changed.put(datacenter, count);
    return new HashOrderedReplication(changed, addresses);
  }
}
