package io.counterpart.lab.check;

import io.counterpart.core.staleness.Proportion;
import java.util.Locale;

/**
 * What reads missed.
 *
 * @param reads judged
 * @param stale reads that returned a version older than one acknowledged before they started
 * @param mostVersionsBehind acknowledged versions that the stalest read missed
 * @param versionsBehind the sum over stale reads
 * @param oldestMillis the longest time for which a returned version had been outdated
 */
public record StalenessReport(
    long reads,
    long stale,
    long mostVersionsBehind,
    long versionsBehind,
    double oldestMillis,
    Violations violations) {
  private static final double CONFIDENCE = 0.95;

  /**
   * What sessions must not see, whatever the rate of stale reads is.
   *
   * @param nonMonotonic reads of a version older than one that their session had read before
   * @param missedOwnWrites reads of a version older than one that their session had written
   * @param impossible reads of a version that nobody had sent: the check or the cluster is broken
   */
  public record Violations(long nonMonotonic, long missedOwnWrites, long impossible) {}

  /** The rate with exact bounds; there must be a read. */
  public Proportion rate() {
    return new Proportion(stale, reads);
  }

  /** Whether the history is that of one copy: nothing stale, nothing impossible. */
  public boolean isFresh() {
    return stale == 0
        && violations.nonMonotonic() == 0
        && violations.missedOwnWrites() == 0
        && violations.impossible() == 0;
  }

  @Override
  public String toString() {
    if (reads == 0) {
      return "no reads";
    }
    return String.format(
        Locale.ROOT,
        "%d of %d reads stale (%.4f %%, %.4f to %.4f %% at 95 %%), at most %d versions and %.1f ms"
            + " behind; %d not monotonic, %d missed own writes, %d impossible",
        stale,
        reads,
        100 * rate().share(),
        100 * rate().low(CONFIDENCE),
        100 * rate().high(CONFIDENCE),
        mostVersionsBehind,
        oldestMillis,
        violations.nonMonotonic(),
        violations.missedOwnWrites(),
        violations.impossible());
  }
}
