package io.counterpart.cluster.layout;

import io.counterpart.core.placement.Host;
import io.counterpart.core.placement.OrderedPlacement;
import io.counterpart.core.placement.OrderedPlacement.Datacenter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tokens of ordered placement (PoR-T) for a cluster on loopback, as {@code counterpart tokens}
 * prints them for a cluster elsewhere. Datacenters share the ring in the order of their names.
 */
final class OrderedTokens {
  private OrderedTokens() {}

  /** The tokens of every node, node 1 first. */
  static List<List<Long>> of(ClusterSpec spec) {
    SortedMap<String, List<Host>> datacenters = new TreeMap<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < spec.nodes(); i++) {
      Location location = spec.locations().get(i);
      String address = NodeLayout.address(i + 1) + ":" + spec.ports().storage();
      addresses.add(address);
      datacenters
          .computeIfAbsent(location.dc(), dc -> new ArrayList<>())
          .add(new Host(address, location.rack()));
    }
    Map<String, List<Long>> tokens = new HashMap<>();
    int number = 1;
    for (Map.Entry<String, List<Host>> entry : datacenters.entrySet()) {
      Datacenter datacenter = new Datacenter(entry.getKey(), number++, datacenters.size());
      OrderedPlacement.ring(entry.getValue(), datacenter, spec.tokensPerNode())
          .nodes()
          .forEach(node -> tokens.put(node.name(), node.tokens()));
    }
    return addresses.stream().map(address -> tokens.getOrDefault(address, List.of())).toList();
  }
}
