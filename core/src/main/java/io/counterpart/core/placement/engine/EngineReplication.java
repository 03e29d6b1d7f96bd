package io.counterpart.core.placement.engine;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.HashMap;
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
    return replicas(ring, index, choosers(ring));
  }

  @Override
  public List<List<String>> replicas(TokenRing ring) {
    Map<String, EngineReplicas> choosers = choosers(ring);
    return IntStream.range(0, ring.tokens().size())
        .mapToObj(index -> replicas(ring, index, choosers))
        .toList();
  }

  private Map<String, EngineReplicas> choosers(TokenRing ring) {
    Map<String, EngineReplicas> choosers = new TreeMap<>();
    quotas.forEach(
        (datacenter, wanted) -> {
          List<EngineNode> nodes =
              ring.nodes(datacenter).stream()
                  .flatMap(node -> EngineNode.inRack(node.name(), node.rack()).stream())
                  .toList();
          choosers.put(datacenter, new EngineReplicas(nodes, wanted));
        });
    return choosers;
  }

  private static List<String> replicas(
      TokenRing ring, int index, Map<String, EngineReplicas> choosers) {
    Map<String, List<EngineNode>> clockwise = new HashMap<>();
    for (int i = index; i < index + ring.tokens().size(); i++) {
      RingNode owner = ring.owner(i);
      EngineNode.inRack(owner.name(), owner.rack())
          .ifPresent(
              node ->
                  clockwise
                      .computeIfAbsent(owner.datacenter(), datacenter -> new ArrayList<>())
                      .add(node));
    }
    return choosers.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().choose(clockwise.getOrDefault(entry.getKey(), List.of())).stream())
        .map(EngineNode::name)
        .toList();
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
