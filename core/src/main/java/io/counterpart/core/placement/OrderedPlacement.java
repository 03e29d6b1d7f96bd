package io.counterpart.core.placement;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Placement by ordered hashes (PoR): the nodes of a datacenter are sorted by the MD5 of their
 * address, and each node's tokens have the same distance from those of the node before. So n nodes
 * have n replica sets instead of a set for nearly every token, and each leads the same share of the
 * ring.
 *
 * <p>Token j of the node with rank k, of n nodes with v tokens each, is {@code −2^63 + 1 + ⌊2^64 (j
 * n + k) / (n v)⌋}. Worked: 4 nodes with one token each have the quarters of the ring. Where there
 * are racks, each rack's nodes are spread evenly over the ranks, so that ring neighbours stand in
 * different racks as far as the racks' sizes allow.
 *
 * <p>The tokens depend on the set of addresses, not on their order. Stateless and thread-safe.
 *
 * <p>Paper: CRS, placement of replicas (PoR). Deviates: the paper changes the replication strategy;
 * tokens alone give as many replica sets under Cassandra's own strategies, and drivers know them.
 */
public final class OrderedPlacement {
  /** Nodes at most. */
  public static final int MOST_NODES = 1_000;

  /** Tokens of a node at most. */
  public static final int MOST_TOKENS = 256;

  private static final int MOST_DATACENTERS = 100;
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE + 1);

  private OrderedPlacement() {}

  /**
   * The datacenter whose nodes are placed, among those that share the ring: each has tokens of its
   * own, shifted by an equal part of their distance, and by its number, so that datacenters of
   * different sizes share none either.
   *
   * @param name its name
   * @param number 1 to {@code of}
   * @param of number of datacenters, 1 to 100
   */
  public record Datacenter(String name, int number, int of) {
    /** Checks. */
    public Datacenter {
      if (of < 1 || of > MOST_DATACENTERS || number < 1 || number > of) {
        throw new IllegalArgumentException(
            "datacenter %d of %d, legal: 1 to the number of datacenters, at most %d"
                .formatted(number, of, MOST_DATACENTERS));
      }
    }
  }

  /**
   * The ring of one datacenter, its nodes in their order on the ring.
   *
   * @param tokens of each node
   * @throws IllegalArgumentException if there are no nodes, too many of them or of tokens, or two
   *     with one address
   */
  public static TokenRing ring(List<Host> hosts, Datacenter datacenter, int tokens) {
    require("nodes", hosts.size(), MOST_NODES);
    require("tokens", tokens, MOST_TOKENS);
    List<Host> ranked = spreadRacks(HashOrder.of(hosts).hosts());
    List<RingNode> nodes = new ArrayList<>();
    for (int rank = 0; rank < ranked.size(); rank++) {
      Host host = ranked.get(rank);
      List<Long> own = tokens(rank, ranked.size(), tokens, datacenter);
      nodes.add(new RingNode(host.address(), datacenter.name(), host.rack(), own));
    }
    return TokenRing.of(nodes);
  }

  private static void require(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("%s is %d, legal: 1 to %d".formatted(name, value, most));
    }
  }

  /**
   * The i-th of a rack's m nodes comes after (i + ½) ÷ m of the way around the ring; racks of one
   * size follow each other in the same order each time.
   */
  private static List<Host> spreadRacks(List<Host> byHash) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    byHash.forEach(host -> sizes.merge(host.rack(), 1, Integer::sum));
    List<String> racks = List.copyOf(sizes.keySet());
    Map<String, Integer> seen = new HashMap<>();
    Map<Host, Double> way = new HashMap<>();
    for (Host host : byHash) {
      int before = seen.merge(host.rack(), 1, Integer::sum) - 1;
      way.put(host, (before + 0.5) / sizes.getOrDefault(host.rack(), 1));
    }
    return byHash.stream()
        .sorted(
            Comparator.<Host>comparingDouble(way::get)
                .thenComparingInt(host -> racks.indexOf(host.rack())))
        .toList();
  }

  private static List<Long> tokens(int rank, int nodes, int tokens, Datacenter datacenter) {
    List<Long> own = new ArrayList<>(tokens);
    long slots = (long) nodes * tokens * datacenter.of();
    for (int j = 0; j < tokens; j++) {
      long slot = ((long) j * nodes + rank) * datacenter.of() + datacenter.number() - 1;
      BigInteger distance =
          RING.multiply(BigInteger.valueOf(slot)).divide(BigInteger.valueOf(slots));
      own.add(LOWEST.add(distance).longValueExact() + datacenter.number() - 1);
    }
    return List.copyOf(own);
  }
}
