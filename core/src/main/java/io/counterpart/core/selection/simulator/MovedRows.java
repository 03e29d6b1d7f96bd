package io.counterpart.core.selection.simulator;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts how often rows change their replica. At each tick it asks a rule for eight rows of each
 * arc; a switch is all rows of an arc moving once. At most 16 coordinators and 64 arcs are watched.
 * Not thread-safe.
 */
final class MovedRows {
  private static final int ROWS = 8;
  private static final int MOST_RULES = 16;
  private static final int MOST_ARCS = 64;

  private final List<ReplicaRule> rules;
  private final List<List<Integer>> arcs;
  private final int[] chosen;
  private long moved;
  private long ticks;

  MovedRows(List<ReplicaRule> rules, List<List<Integer>> arcs) {
    this.rules = rules.subList(0, Math.min(MOST_RULES, rules.size()));
    int watched = Math.min(MOST_ARCS, arcs.size());
    // spread over the ring, so that slow nodes are among them: they are the last ones
    this.arcs = IntStream.range(0, watched).mapToObj(i -> arcs.get(arcs.size() - 1 - i)).toList();
    this.chosen = new int[this.rules.size() * this.arcs.size() * ROWS];
  }

  void tick() {
    int at = 0;
    for (ReplicaRule rule : rules) {
      for (List<Integer> replicas : arcs) {
        for (int row = 0; row < ROWS; row++) {
          // each row from the middle of an eighth, with lower bits of its own
          int hash = Integer.MAX_VALUE / (2 * ROWS) * (2 * row + 1) + row;
          int choice = rule.choose(replicas, hash);
          if (ticks > 0 && chosen[at] != choice) {
            moved++;
          }
          chosen[at++] = choice;
        }
      }
    }
    ticks++;
  }

  /** Switches of an arc at a coordinator in a minute, if ticks are so far apart. */
  double perMinute(double secondsPerTick) {
    double minutes = Math.max(1, ticks - 1) * secondsPerTick / 60;
    return (double) moved / ROWS / (rules.size() * arcs.size()) / minutes;
  }
}
