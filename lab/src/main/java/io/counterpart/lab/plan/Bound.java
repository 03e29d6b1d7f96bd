package io.counterpart.lab.plan;

/**
 * The bound that a figure is asked to meet.
 *
 * @param value the bound itself, which meets it
 * @param atMost whether the figure must not be above it; else not below
 */
public record Bound(double value, boolean atMost) {
  /** More is better. */
  public static Bound atLeast(double value) {
    return new Bound(value, false);
  }

  /** Less is better. */
  public static Bound atMost(double value) {
    return new Bound(value, true);
  }

  /** Whether a measured value meets it. */
  public boolean isMetBy(double measured) {
    return atMost ? measured <= value : measured >= value;
  }
}
