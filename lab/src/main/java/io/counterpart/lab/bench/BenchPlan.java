package io.counterpart.lab.bench;

import io.counterpart.lab.setup.Arm;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The plan of a decoupling benchmark.
 *
 * @param rows rows of each arm, 1,000 to 10,000,000
 * @param updates updates of each arm, 0 to 10,000,000
 * @param reads reads of each burst, 100 to 10,000,000
 * @param rounds rounds, 1 to 9
 * @param seed repeats keys, values and order
 * @param arms arms, each once
 */
public record BenchPlan(int rows, int updates, int reads, int rounds, long seed, List<Arm> arms) {
  private static final int MAX_OPERATIONS = 10_000_000;

  /** Checks every range. */
  public BenchPlan {
    arms = List.copyOf(arms);
    range("rows", rows, 1_000, MAX_OPERATIONS);
    range("updates", updates, 0, MAX_OPERATIONS);
    range("reads", reads, 100, MAX_OPERATIONS);
    range("rounds", rounds, 1, 9);
    if (arms.isEmpty() || new HashSet<>(arms).size() < arms.size()) {
      throw new IllegalArgumentException(
          "arms %s: give each of %s at most once, and at least one"
              .formatted(names(arms), names(Arm.all())));
    }
  }

  /**
   * All arms at a scale: smoke shows in minutes, on cold servers, that everything works; figures
   * are quoted at full.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static BenchPlan ofScale(String scale, long seed) {
    return switch (scale) {
      case "smoke" -> new BenchPlan(2_500, 800, 500, 1, seed, Arm.all());
      case "full" -> new BenchPlan(300_000, 100_000, 5_000, 3, seed, Arm.all());
      default ->
          throw new IllegalArgumentException("scale '%s': must be smoke or full".formatted(scale));
    };
  }

  /** Arm names from a comma-separated list. */
  public static List<Arm> parseArms(String list) {
    return List.of(list.split(",", -1)).stream()
        .map(
            name ->
                Arm.named(name.trim())
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "arm '%s': must be one of %s".formatted(name, names(Arm.all())))))
        .toList();
  }

  /**
   * The arms in a round's order: rotated in equal steps, so that all come early and late alike. An
   * arm that no figure compares is shown by one run: after the first round it is left out, unless
   * there is no other.
   */
  List<Arm> order(int round) {
    int step = Math.max(1, arms.size() / rounds);
    int shift = round * step % arms.size();
    boolean whole = round == 0 || arms.stream().noneMatch(DecouplingFigures::compares);
    return Stream.concat(arms.subList(shift, arms.size()).stream(), arms.subList(0, shift).stream())
        .filter(arm -> whole || DecouplingFigures.compares(arm))
        .toList();
  }

  private static String names(List<Arm> arms) {
    return arms.stream().map(Arm::name).collect(Collectors.joining(", "));
  }

  private static void range(String name, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s %d: must be %d to %d".formatted(name, value, low, high));
    }
  }
}
