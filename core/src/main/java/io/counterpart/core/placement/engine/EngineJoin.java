package io.counterpart.core.placement.engine;

import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Decides whether a node can take its tokens under {@link EngineReplication} without losing copies.
 *
 * <p>Cassandra streams data to the node that takes tokens, and to no other. Here another node may
 * gain copies, too: the new node X takes the place of a node on server s, which makes s free for a
 * node of another class that was passed over so far. Worked: clockwise write on s1, read on s1,
 * read on s2; write and read have one copy each, on s1 and s2. A write node of s3 before them takes
 * the write copy, and then the read node of s1 is the first one on a free server: it would be asked
 * for rows that nobody sends to it.
 *
 * <p>That does not happen where the next tokens are on different servers anyway, as {@link
 * EngineTokens} plans them, and X keeps away from the other nodes of its server.
 */
public sealed interface EngineJoin {
  /** Tokens that are tried for each one that is wanted. */
  int TRIES = 4;

  /** Nobody but the node itself gains copies. */
  record Safe() implements EngineJoin {}

  /**
   * Others would gain copies that nobody sends to them.
   *
   * @param gained share of the ring, 0 to 1, by the name of the node that would lack it
   * @param legal tokens that would be safe, as many as the node wanted or fewer
   */
  record Unsafe(Map<String, Double> gained, List<Long> legal) implements EngineJoin {
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
   * @param joining the node with the tokens that it wants
   */
  static EngineJoin judge(TokenRing before, RingNode joining, EngineReplication replication) {
    return judge(before, with(before, joining), joining, replication);
  }

  private static EngineJoin judge(
      TokenRing before, TokenRing after, RingNode joining, EngineReplication replication) {
    Map<String, Double> gained = gainedByOthers(before, after, joining.name(), replication);
    if (gained.isEmpty()) {
      return new Safe();
    }
    // a replacement takes the tokens of another: it cannot choose
    boolean chooses = !before.tokens().containsAll(joining.tokens());
    return new Unsafe(gained, chooses ? legal(before, joining, List.of(replication)) : List.of());
  }

  /** The ring in which a node has its tokens, whoever had them. */
  private static TokenRing with(TokenRing before, RingNode joining) {
    List<RingNode> nodes = new ArrayList<>();
    nodes.add(joining);
    for (RingNode node : before.nodes()) {
      List<Long> kept = new ArrayList<>(node.tokens());
      kept.removeAll(joining.tokens());
      if (!kept.isEmpty() && !node.name().equals(joining.name())) {
        nodes.add(new RingNode(node.name(), node.datacenter(), node.rack(), kept));
      }
    }
    return TokenRing.of(nodes);
  }

  private static Map<String, Double> gainedByOthers(
      TokenRing before, TokenRing after, String name, EngineReplication replication) {
    Map<String, Double> gained =
        new HashMap<>(RingDifference.between(before, after, replication).gained());
    gained.remove(name);
    return gained;
  }

  /**
   * Tokens for a node: the middles of arcs, widest first, with which nobody else gains, all of them
   * together.
   *
   * @param before the ring without it
   * @param joining the node, with as many tokens as are wanted; which ones has no effect
   * @param replications of all keyspaces that it is to be safe for
   * @return as many as wanted or fewer
   */
  static List<Long> legal(
      TokenRing before, RingNode joining, List<EngineReplication> replications) {
    List<Long> chosen = new ArrayList<>();
    List<Long> middles = middles(before);
    int tries = Math.min(middles.size(), TRIES * joining.tokens().size());
    for (long token : middles.subList(0, tries)) {
      List<Long> more = new ArrayList<>(chosen);
      more.add(token);
      RingNode node = new RingNode(joining.name(), joining.datacenter(), joining.rack(), more);
      TokenRing after = with(before, node);
      if (replications.stream()
          .allMatch(each -> gainedByOthers(before, after, node.name(), each).isEmpty())) {
        chosen = more;
      }
      if (chosen.size() == joining.tokens().size()) {
        break;
      }
    }
    return chosen;
  }

  private static List<Long> middles(TokenRing ring) {
    TreeSet<Long> ends = new TreeSet<>(ring.tokens());
    Comparator<Long> byWidth =
        Comparator.comparing(end -> widthBefore(ends, end), Long::compareUnsigned);
    return ends.stream()
        .sorted(byWidth.reversed())
        .filter(end -> Long.compareUnsigned(widthBefore(ends, end), 1) > 0)
        .map(end -> end - (widthBefore(ends, end) >>> 1))
        .filter(token -> token != Long.MIN_VALUE)
        .toList();
  }

  /** Tokens of the arc that ends there, as an unsigned number. */
  private static long widthBefore(TreeSet<Long> ends, long end) {
    Long before = ends.lower(end);
    return end - (before == null ? ends.last() : before);
  }
}
