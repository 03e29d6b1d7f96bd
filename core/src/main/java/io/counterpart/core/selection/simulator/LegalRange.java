package io.counterpart.core.selection.simulator;

/** Ranges of a scenario's values. */
final class LegalRange {
  private LegalRange() {}

  static void within(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s is %s, legal: %s to %s".formatted(name, text(value), text(least), text(most)));
    }
  }

  private static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
