package io.counterpart.core.plan;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which files stock UCS {@code T4} merges: four or more of a level, where a level is the density of
 * a file, its bytes by the share of the tokens that it spans, from 4^i to 4^(i+1) flushes.
 */
final class SimulatedTree {
  private static final int FANOUT = 4;

  private SimulatedTree() {}

  /** Files of one key range that merge next; empty where nothing is due. */
  static List<SimulatedFile> pick(Collection<SimulatedFile> overlapping, double flushBytes) {
    Map<Integer, List<SimulatedFile>> levels =
        overlapping.stream().collect(Collectors.groupingBy(file -> level(file, flushBytes)));
    return levels.values().stream()
        .filter(level -> level.size() >= FANOUT)
        .findFirst()
        .orElse(List.of());
  }

  private static int level(SimulatedFile file, double flushBytes) {
    double base = Math.max(1 << 20, flushBytes) * (1 - 0.9 / FANOUT);
    double ratio = file.bytes() / file.share() / base;
    return ratio < FANOUT ? 0 : (int) Math.floor(Math.log(ratio) / Math.log(FANOUT));
  }
}
