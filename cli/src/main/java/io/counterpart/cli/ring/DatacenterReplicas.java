package io.counterpart.cli.ring;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The replicas of a ring within one datacenter, as roles are told. Under SimpleStrategy, which
 * knows no datacenters, of the whole ring.
 *
 * @param name the datacenter's; empty for the whole ring
 * @param nodes names of the nodes whose copies are looked at
 * @param arcs the replicas of each arc, those of other datacenters included
 */
record DatacenterReplicas(String name, Set<String> nodes, TokenRing ring, List<List<String>> arcs) {

  /** One for each datacenter that keeps copies, by name. */
  static List<DatacenterReplicas> of(TokenRing ring, Replication replication) {
    List<List<String>> arcs = replication.replicas(ring);
    if (!replication.byDatacenter()) {
      return List.of(new DatacenterReplicas("", names(ring.nodes()), ring, arcs));
    }
    List<DatacenterReplicas> all = new ArrayList<>();
    for (String datacenter : ring.datacenters()) {
      if (replication.copies(datacenter) > 0) {
        all.add(new DatacenterReplicas(datacenter, names(ring.nodes(datacenter)), ring, arcs));
      }
    }
    return all;
  }

  /**
   * The nodes that keep an arc, the one that leads it first.
   *
   * @param arc index of the token where it ends
   */
  List<String> of(int arc) {
    return arcs.get(arc).stream().filter(nodes::contains).toList();
  }

  private static Set<String> names(List<RingNode> nodes) {
    return nodes.stream().map(RingNode::name).collect(Collectors.toSet());
  }
}
