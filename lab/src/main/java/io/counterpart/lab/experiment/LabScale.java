package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.workload.OperationMix;
import java.util.Locale;

/** The size of an experiment: smoke, small or full. */
public enum LabScale {
  /** Shows that everything works, in minutes; its figures mean little. */
  SMOKE(3_000, 2, 400, 1, 0, 3),
  /** The scale that figures are quoted at on one machine. */
  SMALL(200_000, 5, 10_000, 3, 1, 5),
  /** For a cluster of real machines. */
  FULL(10_000_000, 10, 1_000_000, 1, 1, 5);

  private final int rows;
  private final int slices;
  private final int operations;
  private final int fills;
  private final int warmUps;
  private final int repeats;

  LabScale(int rows, int slices, int operations, int fills, int warmUps, int repeats) {
    this.rows = rows;
    this.slices = slices;
    this.operations = operations;
    this.fills = fills;
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

  /**
   * Blocks of a mix: one that reads fills the cache before each, any other has warm-ups.
   *
   * @param copies that one operation reads; a fill reads as many in all, whatever these are
   */
  Repetition repetition(OperationMix mix, int copies, int operations, int blocks) {
    return mix.withoutWrites().isPresent()
        ? new Repetition(operations, operations * fills / copies, 0, blocks)
        : new Repetition(operations, 0, warmUps, blocks);
  }

  int repeats() {
    return repeats;
  }

  /** Where no figure is taken from the phase. */
  int fewRepeats() {
    return (repeats + 1) / 2;
  }
}
