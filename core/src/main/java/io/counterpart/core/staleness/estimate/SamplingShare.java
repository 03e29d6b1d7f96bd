package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which writes of a replica set are samples. A bound needs a number of samples, whatever the rate
 * of writes; sampling costs processor time for each. So of many writes a share is drawn, as large
 * as it takes to have {@value #MARGIN} times the fewest samples that can bound ε within {@link
 * SampledWrites#REMEMBERED}. With none of them late, the bound is then ε ÷ {@value #MARGIN}.
 *
 * <p>Worked: ε = 1 % at the δ of one look of {@link ErrorBudget#HOURLY} takes 1,979 samples, so
 * 7,916 in 30 s are enough: all writes up to 263 a second, and a quarter of 1,055.
 *
 * <p>The share follows the rate, so samples of busy seconds stand for more writes than others. A
 * bound over all of them would count lateness in busy seconds too little. It is computed from an
 * {@link Even} part: a sample is in it if its random number is below the smallest share since some
 * time, so that every write since then had the same chance. That time is chosen for the most
 * samples. The share falls by at most {@value #MOST_FALL} a second: falling at once, it would leave
 * too few samples for any bound when the rate jumps.
 *
 * <p>{@link #takes} and {@link #added} are thread-safe; {@link #adapt} is for one thread.
 */
final class SamplingShare {
  static final int MARGIN = 4;

  /** Fewer would find a replica that does not acknowledge too late. */
  static final int LEAST_PER_SECOND = 10;

  private static final double MOST_FALL = 0.2;

  /** Above what is remembered, since the share lags behind a falling rate. */
  private static final double MOST_SAMPLES = 1.1 * SampledWrites.CAPACITY;

  private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

  private final LongAdder added = new LongAdder();
  private final Deque<Interval> past = new ArrayDeque<>();
  private final double delta;
  private long fromNanos;
  private volatile double share = 1;

  /**
   * A time of one share.
   *
   * @param writes that could have been samples
   */
  private record Interval(long fromNanos, long toNanos, double share, double writes) {}

  /**
   * Samples for which every write since a time had the same chance.
   *
   * @param sinceNanos when they began at the earliest
   * @param below their random numbers are
   */
  record Even(long sinceNanos, double below) {
    boolean has(WriteSample write) {
      return write.unit() < below && write.beganNanos() - sinceNanos >= 0;
    }
  }

  /** Takes every write at first. */
  SamplingShare(ErrorBudget budget, long nowNanos) {
    delta = budget.deltaOfLook();
    fromNanos = nowNanos;
  }

  /**
   * Whether a write that begins is to be a sample.
   *
   * @param unit random, 0 and above, below 1
   */
  boolean takes(double unit) {
    return unit < share;
  }

  /** A write that was taken has become a sample: others fail, or are of several partitions. */
  void added() {
    added.increment();
  }

  /**
   * Chooses the share anew, from the samples since the last time.
   *
   * @return the part of all samples that bounds may be computed from, until the next time
   */
  Even adapt(double epsilon, long nowNanos) {
    double seconds = (nowNanos - fromNanos) / NANOS_PER_SECOND;
    if (seconds > 0) {
      double writes = added.sumThenReset() / share;
      past.addLast(new Interval(fromNanos, nowNanos, share, writes));
      while (nowNanos - past.getFirst().toNanos() > SampledWrites.REMEMBERED.toNanos()) {
        past.removeFirst();
      }
      double enough = Math.min(1, enoughPerSecond(epsilon) * seconds / writes);
      share = Math.max(enough, share * Math.pow(1 - MOST_FALL, seconds));
      fromNanos = nowNanos;
    }
    return even();
  }

  private Even even() {
    Even best = new Even(fromNanos, share);
    double most = 0;
    double writes = 0;
    double below = share;
    Iterator<Interval> backwards = past.descendingIterator();
    while (backwards.hasNext()) {
      Interval interval = backwards.next();
      writes += interval.writes();
      below = Math.min(below, interval.share());
      if (below * writes >= most) {
        most = below * writes;
        best = new Even(interval.fromNanos(), below);
      }
    }
    return best;
  }

  private double enoughPerSecond(double epsilon) {
    double samples =
        Math.min(MOST_SAMPLES, (double) MARGIN * EmpiricalBernstein.leastSamples(epsilon, delta));
    return Math.max(LEAST_PER_SECOND, samples / SampledWrites.REMEMBERED.toSeconds());
  }
}
