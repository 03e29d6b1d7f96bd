package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.Proportion;
import java.time.Duration;

/**
 * The feedback on lowered reads of one table: some are repeated at ALL, and if these shadow reads
 * find more stale answers than the bound allows, lowering stops for a minute. The estimate may be
 * wrong where coordinators write that this one does not see; shadow reads are not.
 *
 * <p>Refuted means that the lower bound of Clopper and Pearson at 95 % exceeds ε. Worked, ε = 1 %:
 * one stale answer of two refutes, one of three (lower bound 0.84 %) does not. Thread-safe.
 */
public final class ShadowReads {
  /** Share of lowered reads that are repeated. */
  public static final double SHARE = 0.005;

  /** How long lowering stops. */
  public static final Duration FREEZE = Duration.ofSeconds(60);

  private static final double CONFIDENCE = 0.95;

  /** Beyond it both counts are halved, so that old answers fade. */
  private static final int MOST = 10_000;

  private long done;
  private long stale;
  private long totalDone;
  private long totalStale;
  private long freezes;
  private boolean frozen;
  private long frozenNanos;

  /**
   * Whether a lowered read is to be repeated.
   *
   * @param draw uniform, 0 to 1
   */
  public static boolean isChosen(double draw) {
    return draw < SHARE;
  }

  /** One answer. */
  public synchronized void answered(boolean wasStale, double epsilon, long nowNanos) {
    done++;
    totalDone++;
    stale += wasStale ? 1 : 0;
    totalStale += wasStale ? 1 : 0;
    if (stale > 0 && new Proportion(stale, done).low(CONFIDENCE) > epsilon) {
      frozen = true;
      frozenNanos = nowNanos;
      freezes++;
      done = 0;
      stale = 0;
    } else if (done >= MOST) {
      done /= 2;
      stale /= 2;
    }
  }

  /** Whether lowering is stopped at that time. */
  public synchronized boolean isFrozen(long nowNanos) {
    frozen = frozen && nowNanos - frozenNanos < FREEZE.toNanos();
    return frozen;
  }

  /** Counts since the start, for operators. */
  public synchronized Counts counts() {
    return new Counts(totalDone, totalStale, freezes);
  }

  /**
   * Counts since the start.
   *
   * @param done shadow reads answered
   * @param stale of these, at which the lowered read had missed something
   * @param freezes times that lowering was stopped
   */
  public record Counts(long done, long stale, long freezes) {}
}
