package io.counterpart.lab.workload;

/**
 * Operations to run on the loaded rows.
 *
 * @param mix which operations
 * @param operations how many, 1 to 1,000,000,000
 * @param levels their consistency levels
 * @param routing to which node reads are sent
 * @param operationsPerSecond intended rate, or 0 for a closed loop
 * @param seed repeats keys and operations
 */
public record Phase(
    OperationMix mix,
    int operations,
    ConsistencyLevels levels,
    ReadRouting routing,
    int operationsPerSecond,
    long seed) {
  private static final int MAX_OPERATIONS = 1_000_000_000;

  /** Checks every range. */
  public Phase {
    if (operations < 1 || operations > MAX_OPERATIONS) {
      throw new IllegalArgumentException(
          "operations %d: must be 1 to %d".formatted(operations, MAX_OPERATIONS));
    }
    if (operationsPerSecond < 0) {
      throw new IllegalArgumentException(
          "operationsPerSecond %d: must be at least 0".formatted(operationsPerSecond));
    }
  }
}
