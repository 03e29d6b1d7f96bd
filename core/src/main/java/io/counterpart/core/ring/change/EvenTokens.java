package io.counterpart.core.ring.change;

import io.counterpart.core.recovery.TokenRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tokens for a joining node that take an equal share from each node of its datacenter. Unlike
 * Cassandra's allocator, this choice needs no running cluster, is deterministic, and can be set as
 * {@code initial_token}.
 *
 * <p>Among n nodes, each of v new tokens is to own s = 2⁶⁴ ÷ ((n + 1) v). Token after token, the
 * node that owns most gives the first s of its widest arc, or half of the arc if that is less.
 * Worked: 3 nodes, v = 16: arcs of 1/48 of the ring, s = 1/64. Of each node's 16 arcs five or six
 * are cut, so that each keeps about 1/4 of the ring, which is what the new one gets.
 */
public final class EvenTokens {
  private final TreeMap<Long, String> owners = new TreeMap<>();

  private EvenTokens(List<RingNode> nodes) {
    nodes.forEach(node -> node.tokens().forEach(token -> owners.put(token, node.name())));
  }

  /**
   * Chooses tokens.
   *
   * @param datacenter where the node is to stand; at least one node stands there
   * @param count how many, 1 or more
   * @throws IllegalArgumentException if the datacenter is unknown or the ring is too full
   */
  public static List<Long> choose(TokenRing ring, String datacenter, int count) {
    List<RingNode> nodes = ring.nodes(datacenter);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException(
          "datacenter is '%s', legal: one of %s".formatted(datacenter, ring.datacenters()));
    }
    if (count < 1) {
      throw new IllegalArgumentException("tokens is " + count + ", legal: 1 and above");
    }
    EvenTokens tokens = new EvenTokens(nodes);
    long share = Long.divideUnsigned(-1L, Math.multiplyExact((nodes.size() + 1L), count));
    List<Long> chosen = new ArrayList<>();
    while (chosen.size() < count) {
      long token = tokens.cut(share);
      // another datacenter may have it
      while (ring.tokens().contains(token)) {
        token++;
      }
      tokens.owners.put(token, "");
      chosen.add(token);
    }
    return List.copyOf(chosen);
  }

  /** Where the widest arc of the node that owns most is cut. */
  private long cut(long share) {
    String giver = richest();
    long end =
        owners.entrySet().stream()
            .filter(entry -> entry.getValue().equals(giver))
            .map(Map.Entry::getKey)
            .max((one, other) -> Long.compareUnsigned(width(one), width(other)))
            .orElseThrow();
    long width = width(end);
    if (Long.compareUnsigned(width, 2) < 0) {
      throw new IllegalArgumentException("no arc of " + giver + " is wide enough to be cut");
    }
    long half = width >>> 1;
    long token = start(end) + (Long.compareUnsigned(share, width) < 0 ? share : half);
    // the lowest long is no token
    return token == Long.MIN_VALUE ? token + 1 : token;
  }

  private String richest() {
    Map<String, Double> owned = new TreeMap<>();
    owners.forEach(
        (token, owner) -> {
          if (!owner.isEmpty()) {
            owned.merge(owner, new TokenRange(start(token), token).ringFraction(), Double::sum);
          }
        });
    return owned.entrySet().stream()
        .max(Comparator.comparingDouble(Map.Entry::getValue))
        .orElseThrow()
        .getKey();
  }

  private long start(long end) {
    Long before = owners.lowerKey(end);
    return before == null ? owners.lastKey() : before;
  }

  /** As an unsigned number; a single token's arc is the whole ring but for one token. */
  private long width(long end) {
    long width = end - start(end);
    return width == 0 ? -1L : width;
  }
}
