package io.counterpart.core.placement;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
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
   * An arc with its replicas.
   *
   * @param fraction of the ring, 0 to 1
   * @param replicas names of nodes, the first one leads
   */
  public record Held(double fraction, List<String> replicas) {
    /** Copies the list. */
    public Held {
      replicas = List.copyOf(replicas);
    }
  }

  /**
   * The balance of a ring.
   *
   * @param datacenter whose replicas are looked at
   */
  public static RingBalance of(TokenRing ring, Replication replication, String datacenter) {
    List<List<String>> replicas = replication.replicas(ring);
    List<Held> arcs = new ArrayList<>();
    for (int i = 0; i < replicas.size(); i++) {
      arcs.add(new Held(ring.arc(i).ringFraction(), replicas.get(i)));
    }
    return of(arcs, ring.nodes(datacenter).stream().map(RingNode::name).toList());
  }

  /**
   * The balance of nodes.
   *
   * @param nodes names of those that are looked at; other replicas do not count
   */
  public static RingBalance of(List<Held> arcs, List<String> nodes) {
    Map<String, Share> shares = new TreeMap<>();
    nodes.forEach(node -> shares.put(node, Share.NONE));
    Set<Set<String>> sets = new HashSet<>();
    for (Held arc : arcs) {
      List<String> replicas = new ArrayList<>(arc.replicas());
      replicas.retainAll(shares.keySet());
      if (!replicas.isEmpty()) {
        sets.add(Set.copyOf(replicas));
      }
      for (int index = 0; index < replicas.size(); index++) {
        Share part = new Share(index == 0 ? arc.fraction() : 0, arc.fraction());
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
