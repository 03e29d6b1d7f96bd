package io.counterpart.lab.plan;

/**
 * The repeats and operations of a phase on each arm.
 *
 * @param operations of one block, at least 1
 * @param fill unmeasured reads before each block, at the disk's own speed, so that the cache holds
 *     the rows of this arm and not those of the arm before. 0 for none
 * @param warmUps blocks of each arm that are run first and not measured
 * @param repeats blocks of each arm, at least 1
 */
public record Repetition(int operations, int fill, int warmUps, int repeats) {
  /** Checks every range. */
  public Repetition {
    if (operations < 1 || repeats < 1) {
      throw new IllegalArgumentException(
          "operations %d, repeats %d: must be at least 1".formatted(operations, repeats));
    }
    if (fill < 0 || warmUps < 0) {
      throw new IllegalArgumentException(
          "fill %d, warm-ups %d: must be at least 0".formatted(fill, warmUps));
    }
  }

  /** Blocks of an arm, those included that are not measured. */
  int blocks() {
    return warmUps + repeats;
  }
}
