package io.counterpart.lab.experiment;

/** How much an experiment does. */
public enum Scale {
  /** Shows that everything works: minutes, on cold servers; its figures mean little. */
  SMOKE(2_500, 800, 500, 1),
  /** The scale that figures are quoted at. */
  FULL(300_000, 100_000, 5_000, 3);

  private final int rows;
  private final int updates;
  private final int reads;
  private final int rounds;

  Scale(int rows, int updates, int reads, int rounds) {
    this.rows = rows;
    this.updates = updates;
    this.reads = reads;
    this.rounds = rounds;
  }

  /** Rows of each arm. */
  public int rows() {
    return rows;
  }

  /** Updates of each arm. */
  public int updates() {
    return updates;
  }

  /** Reads of each burst. */
  public int reads() {
    return reads;
  }

  /** Rounds. */
  public int rounds() {
    return rounds;
  }
}
