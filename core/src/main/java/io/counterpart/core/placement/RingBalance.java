package io.counterpart.core.placement;

import io.counterpart.core.recovery.TokenRange;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The balance of one datacenter under a replication: how many replica sets there are, and how even
 * the nodes' shares. Immutable.
 *
 * @param replicaSets different sets of nodes that keep some arc together
 * @param shares of each node, by name
 */
public record RingBalance(int replicaSets, Map<String, Share> shares) {
  /** Copies the map, in the order of names. */
  public RingBalance {
    shares = new TreeMap<>(shares);
  }

  /**
   * A node's shares of the ring.
   *
   * @param primary of which it is the first replica, 0 to 1
   * @param copies of which it is any replica, 0 to 1
   */
  public record Share(double primary, double copies) {
    private static final Share NONE = new Share(0, 0);

    private Share plus(Share other) {
      return new Share(primary + other.primary, copies + other.copies);
    }
  }

  /**
   * The balance of a ring.
   *
   * @param datacenter whose replicas are looked at
   */
  public static RingBalance of(TokenRing ring, Replication replication, String datacenter) {
    Map<String, Share> shares = new TreeMap<>();
    ring.nodes(datacenter).forEach(node -> shares.put(node.name(), Share.NONE));
    Set<Set<String>> sets = new HashSet<>();
    List<Long> tokens = ring.tokens();
    for (int i = 0; i < tokens.size(); i++) {
      long start = tokens.get((i == 0 ? tokens.size() : i) - 1);
      double fraction = new TokenRange(start, tokens.get(i)).ringFraction();
      List<String> replicas = new ArrayList<>(replication.replicas(ring, i));
      replicas.retainAll(shares.keySet());
      sets.add(Set.copyOf(replicas));
      for (int index = 0; index < replicas.size(); index++) {
        Share part = new Share(index == 0 ? fraction : 0, fraction);
        shares.merge(replicas.get(index), part, Share::plus);
      }
    }
    return new RingBalance(sets.size(), shares);
  }

  /** The largest share of first replicas ÷ the mean one; 1 is even. */
  public double primaryImbalance() {
    return imbalance(shares.values().stream().mapToDouble(Share::primary).toArray());
  }

  /** The largest share of copies ÷ the mean one; 1 is even. */
  public double copiesImbalance() {
    return imbalance(shares.values().stream().mapToDouble(Share::copies).toArray());
  }

  private static double imbalance(double[] values) {
    double most = 0;
    double sum = 0;
    for (double value : values) {
      most = Math.max(most, value);
      sum += value;
    }
    return sum == 0 ? 1 : most * values.length / sum;
  }
}
