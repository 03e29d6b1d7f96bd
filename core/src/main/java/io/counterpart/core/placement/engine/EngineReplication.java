package io.counterpart.core.placement.engine;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The replication of a heterogeneous cluster: in each datacenter the nodes that {@link
 * EngineReplicas} chooses. A node's rack is {@code server/class}; nodes in other racks keep
 * nothing.
 *
 * <p>The plugin's {@code HeterogeneousStrategy} decides by the same {@link EngineReplicas}.
 *
 * @param quotas by datacenter
 */
public record EngineReplication(Map<String, EngineQuotas> quotas) implements Replication {
  /** Copies the map. */
  public EngineReplication {
    quotas = Map.copyOf(quotas);
  }

  @Override
  public List<String> replicas(TokenRing ring, int index) {
    return replicas(members(ring), index);
  }

  @Override
  public List<List<String>> replicas(TokenRing ring) {
    List<Members> members = members(ring);
    return IntStream.range(0, ring.tokens().size())
        .mapToObj(index -> replicas(members, index))
        .toList();
  }

  private List<Members> members(TokenRing ring) {
    Map<RingNode, EngineNode> known = new HashMap<>();
    for (RingNode node : ring.nodes()) {
      EngineNode.inRack(node.name(), node.rack()).ifPresent(found -> known.put(node, found));
    }
    return new TreeMap<>(quotas)
        .entrySet().stream()
            .map(entry -> Members.of(ring, entry.getKey(), entry.getValue(), known))
            .toList();
  }

  private static List<String> replicas(List<Members> members, int index) {
    return members.stream()
        .flatMap(each -> each.chooser().choose(each.clockwise(index)).stream())
        .map(EngineNode::name)
        .toList();
  }

  /**
   * A datacenter's nodes with an engine class.
   *
   * @param owners of its tokens, ascending
   * @param from by index of the ring's token: index of the first owner there or after it
   */
  private record Members(EngineReplicas chooser, List<EngineNode> owners, int[] from) {

    static Members of(
        TokenRing ring, String datacenter, EngineQuotas quotas, Map<RingNode, EngineNode> known) {
      List<EngineNode> owners = new ArrayList<>();
      int[] from = new int[ring.tokens().size()];
      for (int i = 0; i < from.length; i++) {
        from[i] = owners.size();
        RingNode owner = ring.owner(i);
        EngineNode node = known.get(owner);
        if (node != null && owner.datacenter().equals(datacenter)) {
          owners.add(node);
        }
      }
      return new Members(new EngineReplicas(new HashSet<>(owners), quotas), owners, from);
    }

    Iterable<EngineNode> clockwise(int index) {
      int first = from[index];
      int all = owners.size();
      return () ->
          IntStream.range(first, first + all).mapToObj(i -> owners.get(i % all)).iterator();
    }
  }

  @Override
  public int copies(String datacenter) {
    EngineQuotas known = quotas.get(datacenter);
    return known == null ? 0 : known.copies();
  }

  @Override
  public boolean byDatacenter() {
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedOperationException always: a number of copies alone gives no quotas
   */
  @Override
  public Replication withCopies(String datacenter, int copies) {
    throw new UnsupportedOperationException("quotas follow from copies and both quorums");
  }
}
