package io.counterpart.core.staleness.estimate;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The times of one write on one monotonic clock: when each replica's acknowledgement came, and when
 * the write returned to its client. Replicas are numbered in the order of their replica set.
 *
 * <p>An acknowledgement comes after the write has arrived at the replica, and a later read takes
 * time to get there: a replica that counts as late may have the write, the reverse is impossible.
 *
 * <p>Thread-safe: acknowledgements come from other threads, before and after the return.
 */
public final class WriteSample {
  /** Of {@link #lateAt}: that moment has not come yet. */
  public static final int UNKNOWN = -1;

  /** Replicas at most: a set of late replicas is a small bit mask. */
  public static final int MOST_REPLICAS = 10;

  private static final long NOT_YET = Long.MAX_VALUE;

  private final AtomicLongArray arrivals;
  private volatile long returnedNanos = NOT_YET;

  /** A write that was just sent. */
  public WriteSample(int replicas) {
    if (replicas < 1 || replicas > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "replicas is %d, legal: 1 to %d".formatted(replicas, MOST_REPLICAS));
    }
    arrivals = new AtomicLongArray(replicas);
    for (int i = 0; i < replicas; i++) {
      arrivals.set(i, NOT_YET);
    }
  }

  /** Number of replicas. */
  public int replicas() {
    return arrivals.length();
  }

  /** The replica acknowledged; a second time changes nothing. */
  public void arrived(int replica, long nowNanos) {
    arrivals.compareAndSet(replica, NOT_YET, nowNanos);
  }

  /** The client was told that the write is done. */
  public void returned(long nowNanos) {
    returnedNanos = nowNanos;
  }

  /** When the client was told; meaningless before. */
  public long returnedNanos() {
    return returnedNanos;
  }

  /** Whether that replica acknowledged. */
  public boolean hasArrived(int replica) {
    return arrivals.get(replica) != NOT_YET;
  }

  /**
   * The replicas that may lack the write at a time after its return, bit i for replica i.
   *
   * @return {@link #UNKNOWN} while that time is to come: to judge only writes whose replicas
   *     acknowledged already would leave out the slow ones
   */
  public int lateAt(long afterNanos, long nowNanos) {
    return lateAfter(returnedNanos, afterNanos, nowNanos);
  }

  /**
   * The same, had the write returned at its {@code writes}-th acknowledgement.
   *
   * @param writes 1 to the number of replicas
   */
  public int lateAt(int writes, long afterNanos, long nowNanos) {
    long[] sorted = new long[arrivals.length()];
    for (int i = 0; i < sorted.length; i++) {
      long arrival = arrivals.get(i);
      // relative, since the clock's zero is anywhere
      sorted[i] = arrival == NOT_YET ? NOT_YET : arrival - returnedNanos;
    }
    Arrays.sort(sorted);
    long returned = sorted[writes - 1];
    return returned == NOT_YET
        ? UNKNOWN
        : lateAfter(returnedNanos + returned, afterNanos, nowNanos);
  }

  private int lateAfter(long returned, long afterNanos, long nowNanos) {
    if (nowNanos - returned <= afterNanos) {
      return UNKNOWN;
    }
    int late = 0;
    for (int i = 0; i < arrivals.length(); i++) {
      long arrival = arrivals.get(i);
      if (arrival == NOT_YET || arrival - returned > afterNanos) {
        late |= 1 << i;
      }
    }
    return late;
  }
}
