package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.Probability;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an operator wants of a table's reads.
 *
 * @param epsilon accepted probability of a stale read, above 0 and below 1
 * @param floor the lowest level that {@link AdjustmentMode#LOWER} may choose; given with that mode,
 *     and only with it
 * @param windowMillis the least time between a write and a read of its key; empty for the times
 *     observed
 * @param readRepairChance share of the reads of one partition that are repeated at ALL in the
 *     background, so that all replicas are repaired; 0 to 1
 */
public record ConsistencyPolicy(
    AdjustmentMode mode,
    double epsilon,
    Optional<ReadLevel> floor,
    OptionalLong windowMillis,
    double readRepairChance) {
  /** Most of {@code windowMillis}: an hour. */
  public static final long MOST_WINDOW_MILLIS = 3_600_000;

  /** Of tables without a policy of their own, unless configured: raise, 1 %. */
  public static final ConsistencyPolicy DEFAULT =
      new ConsistencyPolicy(AdjustmentMode.RAISE, 0.01, Optional.empty(), OptionalLong.empty(), 0);

  /** Checks. */
  public ConsistencyPolicy {
    Probability.require("epsilon", epsilon);
    if (mode == AdjustmentMode.LOWER && floor.isEmpty()) {
      throw new IllegalArgumentException(
          "floor is missing, legal with mode lower: ONE, TWO, THREE, QUORUM, LOCAL_ONE,"
              + " LOCAL_QUORUM");
    }
    if (floor.isPresent() && (mode != AdjustmentMode.LOWER || !floor.get().isAdjustable())) {
      throw new IllegalArgumentException(
          ("floor is %s, legal: ONE, TWO, THREE, QUORUM, LOCAL_ONE, LOCAL_QUORUM with mode"
                  + " lower, none with mode %s")
              .formatted(floor.get(), mode));
    }
    if (windowMillis.isPresent()
        && (windowMillis.getAsLong() < 0 || windowMillis.getAsLong() > MOST_WINDOW_MILLIS)) {
      throw new IllegalArgumentException(
          "window_ms is %d, legal: 0 to %d"
              .formatted(windowMillis.getAsLong(), MOST_WINDOW_MILLIS));
    }
    if (!(readRepairChance >= 0 && readRepairChance <= 1)) {
      throw new IllegalArgumentException(
          "read_repair_chance is %s, legal: 0 to 1".formatted(readRepairChance));
    }
  }
}
