package io.counterpart.core.staleness;

/** The check of probabilities that must be neither certain nor impossible. Stateless. */
public final class Probability {
  private Probability() {}

  /**
   * The value.
   *
   * @param name as messages call it
   * @throws IllegalArgumentException unless it is above 0 and below 1
   */
  public static double require(String name, double value) {
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException(
          "%s is %s, legal: above 0 and below 1".formatted(name, value));
    }
    return value;
  }
}
