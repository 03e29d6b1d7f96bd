package io.counterpart.core.ring.change;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The effect of a change of the ring on its replicas.
 *
 * @param keptSets replica sets that are there before and afterwards
 * @param gained share of the ring, 0 to 1, of which each node becomes a replica, by name; nodes
 *     that gain nothing are absent
 */
public record RingDifference(int keptSets, Map<String, Double> gained) {
  /** Copies the map, in the order of names. */
  public RingDifference {
    gained = Collections.unmodifiableMap(new TreeMap<>(gained));
  }

  /** Compares two rings under one replication. */
  public static RingDifference between(TokenRing before, TokenRing after, Replication replication) {
    ReplicaMap were = new ReplicaMap(before, replication);
    ReplicaMap are = new ReplicaMap(after, replication);
    Map<String, Double> gained = new TreeMap<>();
    for (SharedArc arc : SharedArc.of(List.of(before, after))) {
      List<String> had = were.of(arc);
      are.of(arc).stream()
          .filter(node -> !had.contains(node))
          .forEach(node -> gained.merge(node, arc.ringFraction(), Double::sum));
    }
    Set<Set<String>> kept = were.sets();
    kept.retainAll(are.sets());
    return new RingDifference(kept.size(), gained);
  }

  /**
   * Nodes that lose copies when another one leaves. Cassandra has the leaving node alone send what
   * it keeps: what they have of these copies, and it lacks, goes to nobody. Under Cassandra's own
   * strategies there are none.
   *
   * @return shares of the ring, 0 to 1, by name
   * @throws IllegalArgumentException if there is no such node, or no other
   */
  public static Map<String, Double> dropped(
      TokenRing before, String leaving, Replication replication) {
    Map<String, Double> dropped =
        new TreeMap<>(between(before.without(leaving), before, replication).gained());
    dropped.remove(leaving);
    return dropped;
  }

  /** Shares of the ring that are streamed to new replicas, all nodes together. */
  public double streamed() {
    return gained.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
