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
    List<String> chosen = new ArrayList<>();
    Set<String> open = new HashSet<>(ring.datacenters());
    open.retainAll(copies.keySet());
    for (int i = index; !open.isEmpty(); i++) {
      RingNode owner = ring.owner(i);
      if (open.remove(owner.datacenter())) {
        chosen.addAll(replicas(ring, owner));
      }
    }
    return List.copyOf(chosen);
  }

  private List<String> replicas(TokenRing ring, RingNode owner) {
    Map<Host, String> names = new HashMap<>();
    ring.nodes(owner.datacenter()).forEach(node -> names.put(host(node), node.name()));
    int wanted = copies.getOrDefault(owner.datacenter(), 0);
    List<String> chosen = new ArrayList<>(wanted);
    for (Host host : HashOrder.of(names.keySet()).replicas(host(owner), wanted)) {
      chosen.add(names.getOrDefault(host, host.address()));
    }
    return chosen;
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
