package io.counterpart.core.ring.change;

import java.util.HashMap;
import java.util.Map;

/**
 * The bytes that one table would have on the whole ring, estimated from each node: its bytes ÷ its
 * share.
 */
record Density(Map<String, Double> known, double average) {

  static Density of(TableLoad table, RangeMoves moves) {
    Map<String, Double> known = new HashMap<>();
    double bytes = 0;
    double share = 0;
    for (Map.Entry<String, Long> load : table.bytesByNode().entrySet()) {
      double kept = moves.keptBefore(load.getKey());
      // what a node has of arcs that are not its own waits for cleanup, and is sent to nobody
      if (kept > 0) {
        known.put(load.getKey(), load.getValue() / kept);
        bytes += load.getValue();
        share += kept;
      }
    }
    return new Density(known, share == 0 ? 0 : bytes / share);
  }

  double of(String node) {
    return known.getOrDefault(node, average);
  }
}
