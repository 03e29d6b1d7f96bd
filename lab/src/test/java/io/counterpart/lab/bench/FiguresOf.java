package io.counterpart.lab.bench;

import io.counterpart.lab.result.ArmFigures;

/** Arm figures with the few values that a test is about. */
public final class FiguresOf {
  private FiguresOf() {}

  /** Figures with bytes compacted and sstables per read, drained and mid-load alike. */
  public static ArmFigures compaction(double bytesCompacted, double sstablesPerRead) {
    return new ArmFigures(
        1e6,
        bytesCompacted,
        10,
        1000,
        sstablesPerRead,
        5e6,
        2e6,
        3,
        0.95,
        4,
        sstablesPerRead,
        900,
        20,
        2,
        15,
        40,
        320,
        35,
        1e6,
        0,
        0);
  }
}
