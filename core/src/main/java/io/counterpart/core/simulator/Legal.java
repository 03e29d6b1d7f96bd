package io.counterpart.core.simulator;

/** Range checks with one form of error: name, value, legal range. */
final class Legal {
  private Legal() {}

  static void between(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " " + value + ", legal: " + least + " to " + most);
    }
  }

  static void aboveZero(String name, double value, double most) {
    if (!(value > 0 && value <= most)) {
      throw new IllegalArgumentException(name + " " + value + ", legal: above 0 to " + most);
    }
  }
}
