package io.counterpart.core.placement;

import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a node can take its tokens under PoR-S without losing copies.
 *
 * <p>Cassandra streams data to the node that takes tokens, and to no other. Under its own
 * strategies no other node becomes a replica of anything. Under PoR-S other nodes may: if X takes
 * an arc from S, the arc's replicas are X and the nodes after X, which need not be the nodes after
 * S. They would be asked for rows that they never received.
 *
 * <p>A join is safe if X takes arcs from its successor S in {@link HashOrder} alone: the arc goes
 * from S, T, U to X, S, T, which all had it but X. Worked: of the order A, B, C, D, RF 2, X hashes
 * between A and B. An arc of B goes from {B, C} to {X, B}: only X gains. An arc of D would go from
 * {D, A} to {X, B}: B would gain an arc that nobody sends to it.
 */
public sealed interface HashOrderedJoin {

  /** Nobody but the node itself gains copies. */
  record Safe() implements HashOrderedJoin {}

  /**
   * Others would gain copies that nobody sends to them.
   *
   * @param gained share of the ring, 0 to 1, by the name of the node that would lack it
   * @param successor name of the one node that can give arcs
   * @param legal tokens that would be safe, as many as the node wanted; empty if there are none
   */
  record Unsafe(Map<String, Double> gained, String successor, List<Long> legal)
      implements HashOrderedJoin {
    /** Copies the collections. */
    public Unsafe {
      gained = Map.copyOf(gained);
      legal = List.copyOf(legal);
    }
  }

  /**
   * Judges a node that joins, or that takes another's tokens.
   *
   * @param before the ring without it
   * @param after the ring with it
   * @param name of the node, which is in {@code after}
   */
  static HashOrderedJoin judge(
      TokenRing before, TokenRing after, String name, HashOrderedReplication replication) {
    Map<String, Double> gained =
        new HashMap<>(RingDifference.between(before, after, replication).gained());
    gained.remove(name);
    if (gained.isEmpty()) {
      return new Safe();
    }
    RingNode joining = node(after, name);
    RingNode successor = successor(after, joining, replication);
    // a replacement takes the tokens of another: it cannot choose
    boolean chooses = !before.tokens().containsAll(joining.tokens());
    List<Long> legal =
        chooses && !successor.name().equals(name)
            ? SuccessorTokens.choose(before, successor, joining.tokens().size())
            : List.of();
    return new Unsafe(gained, successor.name(), legal);
  }

  private static RingNode node(TokenRing ring, String name) {
    return ring.nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("node " + name + " is not in the ring"));
  }

  private static RingNode successor(
      TokenRing ring, RingNode joining, HashOrderedReplication replication) {
    Map<Host, RingNode> hosts = new HashMap<>();
    for (RingNode node : ring.nodes(joining.datacenter())) {
      hosts.put(replication.host(node), node);
    }
    Host next = HashOrder.of(hosts.keySet()).successor(replication.host(joining));
    return hosts.getOrDefault(next, joining);
  }
}
