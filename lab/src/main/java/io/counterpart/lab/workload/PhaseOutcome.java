package io.counterpart.lab.workload;

import java.util.stream.Stream;

/**
 * The outcome of one phase, seen from the client.
 *
 * @param operations operations answered well
 * @param failed operations that ended in an error or a time-out: not acknowledged, so not counted
 *     as lost when absent
 * @param nanos wall time from the first send to the last answer
 * @param latencies of the operations answered well
 * @param firstError message of the first failure, or empty
 */
public record PhaseOutcome(
    long operations, long failed, long nanos, Latencies latencies, String firstError) {
  /**
   * Refuses to call loads measured of which nothing was answered.
   *
   * @throws IllegalStateException with the first error
   */
  public static void requireAnswer(String armName, String phase, PhaseOutcome... loads) {
    if (Stream.of(loads).allMatch(load -> load.operations == 0)) {
      String error =
          Stream.of(loads)
              .map(PhaseOutcome::firstError)
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      throw new IllegalStateException(
          "no operation of %s on %s was answered: %s".formatted(phase, armName, error));
    }
  }
}
