package io.counterpart.lab.experiment;

import java.util.Locale;

/** How much an experiment of the lab does. */
public enum LabScale {
  /** Shows that everything works, in minutes; its figures mean little. */
  SMOKE(3_000, 2, 400, 0, 3),
  /** The scale that figures are quoted at on one machine. */
  SMALL(200_000, 5, 10_000, 1, 7),
  /** For a cluster of real machines. */
  FULL(10_000_000, 10, 1_000_000, 1, 5);

  private final int rows;
  private final int slices;
  private final int operations;
  private final int warmUps;
  private final int repeats;

  LabScale(int rows, int slices, int operations, int warmUps, int repeats) {
    this.rows = rows;
    this.slices = slices;
    this.operations = operations;
    this.warmUps = warmUps;
    this.repeats = repeats;
  }

  /**
   * The scale of a name.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static LabScale named(String name) {
    for (LabScale scale : values()) {
      if (scale.label().equals(name)) {
        return scale;
      }
    }
    throw new IllegalArgumentException("scale '%s': must be smoke, small or full".formatted(name));
  }

  /** The name as the command line takes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  int rows() {
    return rows;
  }

  int slices() {
    return slices;
  }

  int operations() {
    return operations;
  }

  int warmUps() {
    return warmUps;
  }

  int repeats() {
    return repeats;
  }
}
