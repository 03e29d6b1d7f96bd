package io.counterpart.core.selection;

import java.time.Duration;

/**
 * Round trips in classes that are 20 % wide each, from 50 µs up to a minute. Counts halve every 10
 * s, so that a percentile speaks of the last half minute. Not thread-safe.
 *
 * <p>Percentiles of the 32 timings in {@link RecentTimings} would be the worst or the second worst
 * of them.
 */
final class LatencyHistogram {
  private static final double FIRST_NANOS = 50_000;
  private static final double WIDTH = 1.2;
  private static final int CLASSES = 78;
  private static final long HALF_LIFE_NANOS = Duration.ofSeconds(10).toNanos();

  private final double[] counts = new double[CLASSES];
  private long halvedAt;
  private boolean started;

  void add(long nanos, long now) {
    halve(now);
    counts[indexOf(nanos)]++;
  }

  private static int indexOf(long nanos) {
    double exact = Math.log(Math.max(nanos, 1) / FIRST_NANOS) / Math.log(WIDTH);
    return (int) Math.min(CLASSES - 1, Math.max(0, Math.ceil(exact)));
  }

  private void halve(long now) {
    if (!started) {
      started = true;
      halvedAt = now;
    }
    long times = (now - halvedAt) / HALF_LIFE_NANOS;
    if (times > 0) {
      double factor = Math.pow(0.5, times);
      for (int i = 0; i < CLASSES; i++) {
        counts[i] *= factor;
      }
      halvedAt += times * HALF_LIFE_NANOS;
    }
  }

  /**
   * Upper bound, within 20 %, of that share of the round trips; 0 where there are none.
   *
   * @param share above 0 and up to 1, such as 0.95
   */
  long nanos(double share, long now) {
    halve(now);
    double total = 0;
    for (double count : counts) {
      total += count;
    }
    // what is left of a few reads long ago
    if (total < 0.5) {
      return 0;
    }
    double seen = 0;
    for (int i = 0; i < CLASSES; i++) {
      seen += counts[i];
      if (seen >= share * total) {
        return Math.round(FIRST_NANOS * Math.pow(WIDTH, i));
      }
    }
    return Math.round(FIRST_NANOS * Math.pow(WIDTH, CLASSES - 1));
  }
}
