package io.counterpart.lab.plan;

/**
 * The repeats and operations of a phase on each arm.
 *
 * @param operations of one block, at least 1
 * @param fill unmeasured reads before each block, at the disk's own speed, so that the cache holds
 *     the rows of this arm and not those of the arm before. 0 for none
 * @param warmUps blocks of each arm that are run first and not measured
 * @param repeats blocks of each arm, at least 1
 * @param leadIn unmeasured reads right before each block, after the fill and at the block's own
 *     rate and limits, so that coordinators have found out what is slow. 0 for none
 */
public record Repetition(int operations, int fill, int warmUps, int repeats, int leadIn) {
  /** Checks every range. */
  public Repetition {
    if (operations < 1 || repeats < 1) {
      throw new IllegalArgumentException(
          "operations %d, repeats %d: must be at least 1".formatted(operations, repeats));
    }
    if (fill < 0 || warmUps < 0 || leadIn < 0) {
      throw new IllegalArgumentException(
          "fill %d, warm-ups %d, lead-in %d: must be at least 0".formatted(fill, warmUps, leadIn));
    }
  }

  /** Without a lead-in. */
  public Repetition(int operations, int fill, int warmUps, int repeats) {
    this(operations, fill, warmUps, repeats, 0);
  }

  /** Blocks of an arm, those included that are not measured. */
  int blocks() {
    return warmUps + repeats;
  }
}
