package io.counterpart.cluster.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Evenly spaced initial tokens for a fresh cluster, so that all nodes can start at once without a
 * bootstrap and every node owns the same share.
 *
 * <p>Token j of the node with rank k, of n nodes with v tokens each, is {@code −2^63 + 1 + ⌊2^64 (j
 * n + k) / (n v)⌋}. Ranks interleave racks, so that neighbours on the ring stand in different
 * racks. Each datacenter has such a ring of its own, shifted by an equal part of the spacing.
 */
final class TokenPlan {

  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE + 1);

  private TokenPlan() {}

  /** The tokens of every node, in the order of {@code locations}. */
  static List<List<Long>> plan(List<Location> locations, int tokensPerNode) {
    Map<String, List<Integer>> nodesByDc = new LinkedHashMap<>();
    for (int node = 0; node < locations.size(); node++) {
      nodesByDc.computeIfAbsent(locations.get(node).dc(), dc -> new ArrayList<>()).add(node);
    }
    List<List<Long>> tokens = new ArrayList<>();
    locations.forEach(location -> tokens.add(List.of()));
    int dcIndex = 0;
    for (List<Integer> members : nodesByDc.values()) {
      Shift shift = new Shift(dcIndex++, nodesByDc.size());
      List<Integer> ranked = interleaveRacks(members, locations);
      for (int rank = 0; rank < ranked.size(); rank++) {
        tokens.set(ranked.get(rank), tokensOf(rank, ranked.size(), tokensPerNode, shift));
      }
    }
    return List.copyOf(tokens);
  }

  private static List<Integer> interleaveRacks(List<Integer> members, List<Location> locations) {
    Map<String, Integer> seenInRack = new HashMap<>();
    Map<Integer, Integer> positionInRack = new HashMap<>();
    for (int node : members) {
      positionInRack.put(node, seenInRack.merge(locations.get(node).rack(), 1, Integer::sum));
    }
    return members.stream().sorted(java.util.Comparator.comparing(positionInRack::get)).toList();
  }

  private static List<Long> tokensOf(int rank, int nodes, int tokensPerNode, Shift shift) {
    List<Long> tokens = new ArrayList<>(tokensPerNode);
    long slots = (long) nodes * tokensPerNode * shift.of;
    for (int j = 0; j < tokensPerNode; j++) {
      long slot = ((long) j * nodes + rank) * shift.of + shift.part;
      BigInteger distance =
          RING.multiply(BigInteger.valueOf(slot)).divide(BigInteger.valueOf(slots));
      tokens.add(LOWEST.add(distance).longValueExact());
    }
    return List.copyOf(tokens);
  }

  /** One datacenter's offset: {@code part / of} of the spacing between two tokens. */
  private record Shift(int part, int of) {}
}
