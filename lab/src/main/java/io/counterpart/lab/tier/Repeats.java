package io.counterpart.lab.tier;

/**
 * The number of measurements of each arm.
 *
 * @param warmUps blocks of each phase and arm that are not measured, at least 0
 * @param measured blocks of each phase and arm, at least 1
 */
public record Repeats(int warmUps, int measured) {
  /** Checks every range. */
  public Repeats {
    if (warmUps < 0 || measured < 1) {
      throw new IllegalArgumentException(
          "warm-ups %d, repeats %d: must be at least 0 and 1".formatted(warmUps, measured));
    }
  }
}
