package io.counterpart.core.simulator;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Writes a workload into the structures of one node, which share its compaction bandwidth. One use,
 * one thread.
 *
 * <p>Each flushed byte earns {@code compactionRate} bytes of compaction; work starts while the
 * balance is positive and may overdraw it; an idle node saves nothing up. With an unlimited rate
 * all due work is done after each flush.
 */
final class NodeRun {
  private final List<Structure> structures;
  private final double compactionRate;
  private double balance;
  private int turn;

  NodeRun(List<Structure> structures, double compactionRate) {
    this.structures = structures;
    this.compactionRate = compactionRate;
  }

  /** Runs to the end of the workload; what is then still due is left undone. */
  void run() {
    Optional<Structure> next = next();
    while (next.isPresent()) {
      double progress = next.get().nextFlushAt();
      balance += compactionRate * next.get().flush();
      compactWhileAffordable();
      // a read is cheap just after a compaction and dear just before: the end alone says little
      if (progress >= 0.5) {
        structures.forEach(Structure::sampleReads);
      }
      next = next();
    }
  }

  private Optional<Structure> next() {
    return structures.stream()
        .filter(s -> !s.isDone())
        .min(Comparator.comparingDouble(Structure::nextFlushAt));
  }

  private void compactWhileAffordable() {
    int idle = 0;
    while (balance > 0 && idle < structures.size()) {
      Optional<Double> written = structures.get(turn).compact();
      turn = (turn + 1) % structures.size();
      idle = written.isPresent() ? 0 : idle + 1;
      balance -= written.orElse(0.0);
    }
    if (idle == structures.size()) {
      balance = Math.min(balance, 0);
    }
  }
}
