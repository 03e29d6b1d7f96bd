package io.counterpart.core.recovery;

import java.time.Duration;
import java.util.Optional;

/**
 * Estimates the remaining time at the pace so far, by share of the ring. That is also the share of
 * the data, since tokens are hashes.
 */
public final class RemainingTime {
  /** Below this part of the work a pace is noise. */
  private static final double LEAST = 0.01;

  private RemainingTime() {}

  /**
   * @param done part of the ring restored by this run, a step's own part included
   * @param total part of the ring that this run restores
   * @param elapsed since the run began to restore
   * @return empty while too little is done to tell
   */
  public static Optional<Duration> estimate(double done, double total, Duration elapsed) {
    if (total <= 0 || done / total < LEAST) {
      return Optional.empty();
    }
    double left = Math.max(0, total - done) / done;
    return Optional.of(Duration.ofMillis(Math.round(elapsed.toMillis() * left)));
  }
}
