package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The latest writes of one replica set, and the probability of stale reads that follows from them.
 *
 * <p>p(R) = E[C(M(t), R) ÷ C(N, R)], where t is a gap between write and read, M(t) the replicas
 * that had not acknowledged t after the write returned, and N all replicas. This is the mean over
 * reads that ask any R replicas. With fewer than {@value #FEW} samples the worst R replicas count
 * instead, since snitches send reads to the same replicas again and again. M(t) ÷ N is sampled; a
 * read of all replicas is stale only if no replica had the write.
 *
 * <p>Thread-safe. At most {@value #CAPACITY} writes, none older than {@link #REMEMBERED}.
 *
 * <p>Paper: CRS, the adjustment of the consistency level. Deviates: the paper adds replicas while
 * reads are fresh enough; here R is the smallest number that suffices.
 */
public final class SampledWrites {
  /** Writes remembered: enough for 0.1 % at the δ of one look of {@link ErrorBudget#HOURLY}. */
  public static final int CAPACITY = 20_480;

  /** Writes below which the worst replicas count. */
  public static final int FEW = 10_000;

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
   * Bounds of reads that begin a gap after the write's return.
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
    return bounds(late, delta);
  }

  /**
   * Bounds of reads a time after a write at {@code writeReplicas}, whatever level the sampled
   * writes had.
   */
  public StaleBounds predicted(int writeReplicas, long afterNanos, double delta, long nowNanos) {
    LateSets late = new LateSets(replicas);
    for (WriteSample write : copy(nowNanos)) {
      add(late, write.lateAt(writeReplicas, afterNanos, nowNanos));
    }
    return bounds(late, delta);
  }

  /** Where gaps come from; the random numbers are used by one thread. */
  public record GapDraw(Gaps gaps, SplittableRandom random) {}

  private static void add(LateSets late, int mask) {
    if (mask != WriteSample.UNKNOWN) {
      late.add(mask);
    }
  }

  private StaleBounds bounds(LateSets late, double delta) {
    List<StaleBounds.Bound> byReads = new ArrayList<>();
    for (int reads = 1; reads <= replicas; reads++) {
      Moments moments = late.samples() < FEW ? late.worstSubset(reads) : late.anySubset(reads);
      byReads.add(
          new StaleBounds.Bound(
              moments.mean(),
              EmpiricalBernstein.lower(moments, delta),
              EmpiricalBernstein.upper(moments, delta)));
    }
    return new StaleBounds(late.samples(), delta, byReads);
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
