package io.counterpart.core.placement;

import io.counterpart.core.recovery.TokenRange;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The effect of a change of the ring on its replicas.
 *
 * @param keptSets replica sets that are there before and afterwards
 * @param sets replica sets afterwards
 * @param gained share of the ring, 0 to 1, of which each node becomes a replica, by name; nodes
 *     that gain nothing are absent
 */
public record RingDifference(int keptSets, int sets, Map<String, Double> gained) {
  /** Copies the map, in the order of names. */
  public RingDifference {
    gained = Collections.unmodifiableMap(new TreeMap<>(gained));
  }

  /** Compares two rings under one replication. */
  public static RingDifference between(TokenRing before, TokenRing after, Replication replication) {
    List<List<String>> were = replicas(before, replication);
    List<List<String>> are = replicas(after, replication);
    Map<String, Double> gained = new TreeMap<>();
    TreeSet<Long> ends = new TreeSet<>(before.tokens());
    ends.addAll(after.tokens());
    long start = ends.last();
    for (long end : ends) {
      double fraction = new TokenRange(start, end).ringFraction();
      List<String> had = were.get(arc(before, end));
      for (String node : are.get(arc(after, end))) {
        if (!had.contains(node)) {
          gained.merge(node, fraction, Double::sum);
        }
      }
      start = end;
    }
    Set<Set<String>> sets = sets(are);
    Set<Set<String>> kept = new HashSet<>(sets(were));
    kept.retainAll(sets);
    return new RingDifference(kept.size(), sets.size(), gained);
  }

  /** Shares of the ring that are streamed to new replicas, all nodes together. */
  public double streamed() {
    return gained.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static List<List<String>> replicas(TokenRing ring, Replication replication) {
    List<List<String>> all = new ArrayList<>(ring.tokens().size());
    for (int i = 0; i < ring.tokens().size(); i++) {
      all.add(replication.replicas(ring, i));
    }
    return all;
  }

  private static Set<Set<String>> sets(List<List<String>> replicas) {
    Set<Set<String>> sets = new HashSet<>();
    replicas.forEach(each -> sets.add(Set.copyOf(each)));
    return sets;
  }

  private static int arc(TokenRing ring, long token) {
    int found = Collections.binarySearch(ring.tokens(), token);
    return (found >= 0 ? found : -found - 1) % ring.tokens().size();
  }
}
