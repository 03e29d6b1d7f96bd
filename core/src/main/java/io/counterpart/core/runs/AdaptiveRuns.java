package io.counterpart.core.runs;

/**
 * Chooses S for one range group from its read and write rates: read-heavy groups get fewer runs,
 * write-heavy groups more.
 *
 * <p>A read consults on average S ÷ 2 runs, a written byte is merged about 1 ÷ S times, so the sum
 * of both costs is least at S ∝ √(writes ÷ reads). At equal rates S is the geometric mean of the
 * bounds.
 *
 * <p>Beyond the paper, which leaves S to the operator (DEPART §4.4).
 *
 * @param least smallest S to choose; ≥ 1
 * @param most largest S to choose; ≥ least
 */
public record AdaptiveRuns(int least, int most) {

  public AdaptiveRuns {
    RunPolicy.checkMaxRuns(least);
    if (most < least) {
      throw new IllegalArgumentException(
          "most " + most + ", legal: least (" + least + ") and above");
    }
  }

  /**
   * S for a group.
   *
   * @param readsPerSecond reads that the group's runs have served; ≥ 0
   * @param writesPerSecond partitions written to the group; ≥ 0
   * @return from {@code least} to {@code most}; {@code most} where nothing is read
   */
  public int runsFor(double readsPerSecond, double writesPerSecond) {
    if (readsPerSecond <= 0) {
      return most;
    }
    double balanced = Math.sqrt((double) least * most);
    long chosen = Math.round(balanced * Math.sqrt(writesPerSecond / readsPerSecond));
    return (int) Math.max(least, Math.min(most, chosen));
  }
}
