package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * The latest writes of one replica set, and the probability of stale reads that follows from them.
 *
 * <p>Let t be a gap between write and read, M(t) the replicas that had not acknowledged t after the
 * write returned, and N all replicas. A read of given R replicas misses the write only if all of
 * them are in M(t). Two probabilities follow:
 *
 * <ul>
 *   <li>{@link #bounds}: of the R replicas that are in M(t) together most often. Decisions use it.
 *       Snitches send the reads of a row to the same replicas again and again, and those may be the
 *       late ones. The bound then holds whichever replicas are asked.
 *   <li>{@link #predicted}: E[C(|M(t)|, R) ÷ C(N, R)], the mean over reads that ask any R replicas,
 *       as PBS predicts. A replica's own share of stale reads is up to N times as high.
 * </ul>
 *
 * <p>The maximum over sets needs no share of δ: it is at least the bound of the set that is truly
 * the worst, and that one is wrong with probability δ.
 *
 * <p>Thread-safe. At most {@value #CAPACITY} writes, none older than {@link #REMEMBERED}.
 *
 * <p>Paper: CRS, the adjustment of the consistency level. Deviates: the paper adds replicas while
 * reads are fresh enough; here R is the smallest number that suffices.
 */
public final class SampledWrites {
  /** Writes remembered: enough for 0.1 % at the δ of one look of {@link ErrorBudget#HOURLY}. */
  public static final int CAPACITY = 20_480;

  /** Older writes say nothing about now. */
  public static final Duration REMEMBERED = Duration.ofSeconds(30);

  /** A replica that has not acknowledged a write for so long is suspect. */
  public static final Duration SUSPECT_AFTER = Duration.ofSeconds(1);

  /** So many such writes make a suspect; one may have met a dropped connection. */
  static final int SUSPECT_WRITES = 3;

  private static final long RECENT_NANOS = Duration.ofSeconds(5).toNanos();

  private final int replicas;
  private final Deque<WriteSample> writes = new ArrayDeque<>();

  /** None yet. */
  public SampledWrites(int replicas) {
    this.replicas = replicas;
  }

  /** Remembers a write that has returned to its client. */
  public synchronized void add(WriteSample write) {
    if (write.replicas() != replicas) {
      throw new IllegalArgumentException(
          "a write of %d replicas, legal: %d".formatted(write.replicas(), replicas));
    }
    if (writes.size() == CAPACITY) {
      writes.removeFirst();
    }
    writes.addLast(write);
  }

  /**
   * The same where all sets together have no room: a set that has its share forgets its oldest
   * write, and one that has more forgets another one for the others. The newest writes alone tell
   * which replicas are suspect.
   *
   * @param share writes that each set may have, 1 and above
   */
  public synchronized void addWithin(int share, WriteSample write) {
    int more = writes.size() - share;
    if (more >= 0) {
      writes.removeFirst();
    }
    if (more > 0) {
      writes.removeFirst();
    }
    add(write);
  }

  /** Writes remembered at that time. */
  public synchronized int size(long nowNanos) {
    forgetOld(nowNanos);
    return writes.size();
  }

  /**
   * The replicas that are suspect, bit i for replica i: they owe the acknowledgements of {@value
   * #SUSPECT_WRITES} writes of the last 5 s.
   */
  public synchronized int suspects(long nowNanos) {
    int[] owed = new int[replicas];
    for (WriteSample write : writes) {
      long age = nowNanos - write.returnedNanos();
      if (age > SUSPECT_AFTER.toNanos() && age <= RECENT_NANOS) {
        for (int i = 0; i < replicas; i++) {
          owed[i] += write.hasArrived(i) ? 0 : 1;
        }
      }
    }
    int suspects = 0;
    for (int i = 0; i < replicas; i++) {
      suspects |= owed[i] >= SUSPECT_WRITES ? 1 << i : 0;
    }
    return suspects;
  }

  /**
   * Bounds of reads that begin a gap after the write's return, whichever replicas they ask.
   *
   * @param leastGapNanos smaller gaps count as this one: what the client tolerates
   * @param delta probability that a bound is wrong
   */
  public StaleBounds bounds(GapDraw draw, long leastGapNanos, double delta, long nowNanos) {
    LateSets late = new LateSets(replicas);
    for (WriteSample write : copy(nowNanos)) {
      long gap = Math.max(leastGapNanos, draw.gaps().drawNanos(draw.random()));
      add(late, write.lateAt(gap, nowNanos));
    }
    return bounds(late.samples(), delta, late::worstSubset);
  }

  /**
   * What to expect of reads a time after a write at {@code writeReplicas}, whatever level the
   * sampled writes had.
   */
  public Prediction predicted(int writeReplicas, long afterNanos, double delta, long nowNanos) {
    LateSets late = new LateSets(replicas);
    for (WriteSample write : copy(nowNanos)) {
      add(late, write.lateAt(writeReplicas, afterNanos, nowNanos));
    }
    return new Prediction(
        bounds(late.samples(), delta, late::anySubset),
        bounds(late.samples(), delta, late::worstSubset));
  }

  /**
   * Probabilities of stale reads.
   *
   * @param any mean over reads that ask any replicas
   * @param worst of reads that always ask the replicas which are late together most often
   */
  public record Prediction(StaleBounds any, StaleBounds worst) {}

  /** Where gaps come from; the random numbers are used by one thread. */
  public record GapDraw(Gaps gaps, SplittableRandom random) {}

  private static void add(LateSets late, int mask) {
    if (mask != WriteSample.UNKNOWN) {
      late.add(mask);
    }
  }

  private StaleBounds bounds(int samples, double delta, IntFunction<Moments> byReads) {
    List<StaleBounds.Bound> bounds = new ArrayList<>();
    for (int reads = 1; reads <= replicas; reads++) {
      Moments moments = byReads.apply(reads);
      bounds.add(
          new StaleBounds.Bound(
              moments.mean(),
              EmpiricalBernstein.lower(moments, delta),
              EmpiricalBernstein.upper(moments, delta)));
    }
    return new StaleBounds(samples, delta, bounds);
  }

  private synchronized List<WriteSample> copy(long nowNanos) {
    forgetOld(nowNanos);
    return new ArrayList<>(writes);
  }

  private void forgetOld(long nowNanos) {
    while (!writes.isEmpty()
        && nowNanos - writes.getFirst().returnedNanos() > REMEMBERED.toNanos()) {
      writes.removeFirst();
    }
  }
}
