package io.counterpart.core.ring.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The shares of the ring that move between nodes under one replication, over all steps of a change.
 * Used by one thread.
 */
final class RangeMoves {
  private final List<SharedArc> arcs;
  private final ReplicaMap first;
  private final ReplicaMap last;
  private final Map<Flow, Double> flows = new HashMap<>();
  private final Map<String, Double> kept = new HashMap<>();
  private final Map<String, Double> stayed = new HashMap<>();
  private final Map<String, Double> gained = new HashMap<>();
  private final Map<String, Double> foreign = new HashMap<>();
  private final Map<String, RoleShares> roles = new HashMap<>();
  private double withoutSource;

  /**
   * @param maps who keeps what, before the first step and after each
   * @param silent nodes that cannot send
   */
  RangeMoves(List<SharedArc> arcs, List<ReplicaMap> maps, Set<String> silent) {
    this.arcs = arcs;
    first = maps.get(0);
    last = maps.get(maps.size() - 1);
    for (SharedArc arc : arcs) {
      List<List<String>> holders = new ArrayList<>(maps.size());
      maps.forEach(map -> holders.add(map.of(arc)));
      for (int step = 1; step < maps.size(); step++) {
        addFlows(
            arc, holders.get(step - 1), holders.get(step), new Senders(maps.get(step), silent));
      }
      addShares(arc, holders);
    }
  }

  private void addShares(SharedArc arc, List<List<String>> holders) {
    List<String> had = holders.get(0);
    List<String> has = holders.get(holders.size() - 1);
    had.forEach(node -> kept.merge(node, arc.ringFraction(), Double::sum));
    has.forEach(
        node ->
            (had.contains(node) ? stayed : gained).merge(node, arc.ringFraction(), Double::sum));
    Set<String> ever = new HashSet<>();
    holders.forEach(ever::addAll);
    has.forEach(ever::remove);
    ever.stream()
        .filter(last::has)
        .forEach(node -> foreign.merge(node, arc.ringFraction(), Double::sum));
  }

  /** Share of the ring by who sends it to whom; above 1 where many steps send. */
  Map<Flow, Double> flows() {
    return flows;
  }

  /** Share of the ring that a node keeps before the first step. */
  double keptBefore(String node) {
    return kept.getOrDefault(node, 0.0);
  }

  /** Share of the ring that a node has kept at some time, and does not own at the end. */
  double foreign(String node) {
    return foreign.getOrDefault(node, 0.0);
  }

  /** Share of the ring that nobody can send to a new replica. */
  double withoutSource() {
    return withoutSource;
  }

  /** Share of the ring that a node keeps before the first step and at the end. */
  double stayed(String node) {
    return stayed.getOrDefault(node, 0.0);
  }

  /** Share of the ring that a node keeps at the end, but not before the first step. */
  double gained(String node) {
    return gained.getOrDefault(node, 0.0);
  }

  /**
   * What becomes of a node's files; nothing changes for one that joins or leaves.
   *
   * @param maxGroups as the table has it
   */
  RoleShares roles(String node, int maxGroups) {
    if (!first.has(node) || !last.has(node)) {
      return RoleShares.NONE;
    }
    return roles.computeIfAbsent(
        node + "/" + maxGroups,
        key -> RoleShares.of(arcs, first.view(node, maxGroups), last.view(node, maxGroups)));
  }

  private void addFlows(SharedArc arc, List<String> had, List<String> has, Senders senders) {
    for (String target : has) {
      if (had.contains(target)) {
        continue;
      }
      List<String> sources = senders.of(target, had, has);
      if (sources.isEmpty()) {
        withoutSource += arc.ringFraction();
      }
      double part = arc.ringFraction() / sources.size();
      sources.forEach(source -> flows.merge(new Flow(source, target), part, Double::sum));
    }
  }
}
