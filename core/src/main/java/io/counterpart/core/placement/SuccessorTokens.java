package io.counterpart.core.placement;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Tokens for a joining node that take arcs from one node alone, half of what it leads: its widest
 * arc is halved, and so on. Worked: the one node has two arcs of 1/8 of the ring, and two tokens
 * are wanted: they lie in the middle of the arcs, so that both nodes lead 1/8.
 */
final class SuccessorTokens {
  private static final Comparator<Arc> WIDEST =
      (one, other) -> Long.compareUnsigned(other.width(), one.width());

  private SuccessorTokens() {}

  /** The tokens after {@code start}, up to {@code end}. */
  private record Arc(long start, long end) {
    /** As an unsigned number; a single token's arc is the whole ring but for one token. */
    long width() {
      return end == start ? -1L : end - start;
    }
  }

  /**
   * Chooses tokens.
   *
   * @param giver a node of the ring; the arcs are those of its datacenter
   * @param count how many, 1 or more
   * @return fewer than {@code count} if the giver's arcs are too narrow to be cut
   */
  static List<Long> choose(TokenRing ring, RingNode giver, int count) {
    PriorityQueue<Arc> arcs = new PriorityQueue<>(WIDEST);
    arcs.addAll(arcs(ring, giver));
    TreeSet<Long> taken = new TreeSet<>(ring.tokens());
    List<Long> chosen = new ArrayList<>(count);
    while (chosen.size() < count && !arcs.isEmpty()) {
      Arc arc = arcs.remove();
      long token = arc.start() + (arc.width() >>> 1);
      // another datacenter may have it, and the lowest long is no token
      while (taken.contains(token) || token == Long.MIN_VALUE) {
        token++;
      }
      if (Long.compareUnsigned(token - arc.start(), arc.width()) >= 0) {
        return List.copyOf(chosen);
      }
      taken.add(token);
      chosen.add(token);
      arcs.add(new Arc(token, arc.end()));
    }
    return List.copyOf(chosen);
  }

  private static List<Arc> arcs(TokenRing ring, RingNode giver) {
    TreeSet<Long> ends = new TreeSet<>();
    ring.nodes(giver.datacenter()).forEach(node -> ends.addAll(node.tokens()));
    List<Arc> arcs = new ArrayList<>();
    for (long end : giver.tokens()) {
      Long before = ends.lower(end);
      arcs.add(new Arc(before == null ? ends.last() : before, end));
    }
    return arcs;
  }
}
