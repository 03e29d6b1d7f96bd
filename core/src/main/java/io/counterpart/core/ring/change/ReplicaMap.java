package io.counterpart.core.ring.change;

import io.counterpart.core.ring.RingView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The replicas of each arc of one ring under one replication. Used by one thread. */
final class ReplicaMap {
  private final TokenRing ring;
  private final List<List<String>> replicas;
  private final Map<String, RingNode> nodes = new HashMap<>();
  private final Map<String, List<List<String>>> byDatacenter = new HashMap<>();

  ReplicaMap(TokenRing ring, Replication replication) {
    this.ring = ring;
    ring.nodes().forEach(node -> nodes.put(node.name(), node));
    replicas = replication.replicas(ring);
  }

  /** Names of the nodes that keep an arc, in ring order. */
  List<String> of(SharedArc arc) {
    return replicas.get(ring.arcOf(arc.end()));
  }

  /** The replica sets: groups of nodes that keep some arc together. */
  Set<Set<String>> sets() {
    Set<Set<String>> sets = new HashSet<>();
    replicas.forEach(each -> sets.add(Set.copyOf(each)));
    return sets;
  }

  /** Whether the ring has the node. */
  boolean has(String node) {
    return nodes.containsKey(node);
  }

  /** Whether two nodes stand in one datacenter. */
  boolean areTogether(String one, String other) {
    return datacenter(one).equals(datacenter(other));
  }

  /** The ring as one of its nodes sees it. */
  RingView<Long> view(String node, int maxGroups) {
    List<List<String>> local =
        byDatacenter.computeIfAbsent(
            datacenter(node),
            datacenter ->
                replicas.stream()
                    .map(
                        list ->
                            list.stream().filter(n -> datacenter(n).equals(datacenter)).toList())
                    .toList());
    return RingView.of(ring.tokens(), local, node, maxGroups);
  }

  private String datacenter(String node) {
    RingNode known = nodes.get(node);
    return known == null ? "" : known.datacenter();
  }
}
