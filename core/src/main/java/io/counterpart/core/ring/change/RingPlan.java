package io.counterpart.core.ring.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cost of a change of the ring, table by table and node by node, before it is made.
 *
 * <p>Each step starts from the ring that the previous step left. In each step a node that becomes a
 * replica of an arc receives the arc's bytes once, from the {@link Senders}; several senders send
 * equal parts. Bytes of an arc are the sender's bytes of the table ÷ the share of the ring that it
 * keeps × the share that the arc is, since hashed tokens spread rows evenly. A sender whose bytes
 * are unknown has the average of the others.
 *
 * <p>Worked: 3 nodes of RF 2 keep 2/3 of the ring, 20 GB each: 30 GB a ring. A fourth that takes
 * 1/4 as primary and 1/4 as redundant copy receives 15 GB.
 *
 * <p>Used by one thread. Paper: DEPART does not treat changes of the ring.
 */
public final class RingPlan {
  private final List<TokenRing> rings = new ArrayList<>();
  private final List<RingChange> changes;
  private final Set<String> silent;
  private final List<SharedArc> arcs;
  private final Map<Replication, RangeMoves> moves = new HashMap<>();

  /**
   * A plan for changes that follow one another.
   *
   * @param silent nodes that cannot send
   */
  public RingPlan(TokenRing before, List<RingChange> changes, Set<String> silent) {
    this.changes = List.copyOf(changes);
    this.silent = Set.copyOf(silent);
    rings.add(before);
    for (RingChange change : changes) {
      rings.add(change.applyTo(rings.get(rings.size() - 1)));
    }
    arcs = SharedArc.of(rings);
  }

  /** Every node that is in the ring before or afterwards, by name. */
  public Map<String, RingNode> nodes() {
    Map<String, RingNode> all = new LinkedHashMap<>();
    rings.forEach(ring -> ring.nodes().forEach(node -> all.put(node.name(), node)));
    return all;
  }

  /** What it costs each node for one table, in the order of {@link #nodes}. */
  public Map<String, TableCost> costs(TableLoad table) {
    RangeMoves move = moves(table.replication());
    Density density = Density.of(table, move);
    Map<String, Double> in = new HashMap<>();
    Map<String, Double> out = new HashMap<>();
    move.flows()
        .forEach(
            (flow, share) -> {
              double bytes = share * density.of(flow.source());
              in.merge(flow.target(), bytes, Double::sum);
              out.merge(flow.source(), bytes, Double::sum);
            });
    Map<String, TableCost> costs = new LinkedHashMap<>();
    for (String node : nodes().keySet()) {
      double bytes = density.of(node);
      double before = move.keptBefore(node) * bytes;
      RoleShares roles =
          table.maxGroups() == 0 ? RoleShares.NONE : move.roles(node, table.maxGroups());
      costs.put(
          node,
          new TableCost(
              Math.round(before),
              Math.round(move.stayed(node) * bytes + move.gained(node) * density.average()),
              Math.round(in.getOrDefault(node, 0.0)),
              Math.round(out.getOrDefault(node, 0.0)),
              Math.round(roles.promoted() * bytes),
              Math.round(roles.demoted() * bytes),
              Math.round(roles.rewritten() * bytes),
              Math.round(move.foreign(node) * bytes)));
    }
    return costs;
  }

  /** Share of the ring that nobody can send to its new replicas: all that had it are silent. */
  public double withoutSource(TableLoad table) {
    return moves(table.replication()).withoutSource();
  }

  private RangeMoves moves(Replication replication) {
    return moves.computeIfAbsent(
        replication,
        start -> {
          List<ReplicaMap> maps = new ArrayList<>();
          Replication current = start;
          maps.add(new ReplicaMap(rings.get(0), current));
          for (int i = 0; i < changes.size(); i++) {
            current = changes.get(i).applyTo(current);
            maps.add(new ReplicaMap(rings.get(i + 1), current));
          }
          return new RangeMoves(arcs, maps, silent);
        });
  }
}
