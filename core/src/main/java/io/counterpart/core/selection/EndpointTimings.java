package io.counterpart.core.selection;

import java.util.OptionalDouble;

/**
 * Round trips of one endpoint's reads, and its unexplained queue. Thread-safe. Times are monotonic
 * nanoseconds.
 *
 * <p>Reads wait at any healthy endpoint: λ reads a second that take R̄ each keep λ·R̄ of them
 * waiting (Little's law), and R̄ says that already. Only what exceeds it is news: reads that leave
 * and whose answers do not come. So q̂ = 1 + (W − L − 1), and at least 1. W is the mean number of
 * waiting reads. L is the time that answered reads waited, per second. Both are smoothed over
 * {@link SelectionRules#smoothing}. The last 1 leaves out a single slow read. Worked: 100 reads a
 * second of 5 ms each give W = L = 0.5, so q̂ = 1. 0.2 s after answers stop, W is about 11 and L
 * about 0.1, so q̂ = 11.
 */
final class EndpointTimings {
  private static final double NANOS_A_MICRO = 1_000;
  private static final long UNKNOWN = -1;

  /** One read in the queue is none. */
  private static final double LEAST_QUEUED = 1;

  private final RecentTimings recent;
  private final long idleNanos;
  private final double smoothingNanos;
  private final SlidingMinimum least = new SlidingMinimum();
  private final LatencyHistogram histogram = new LatencyHistogram();
  private int waiting;
  private long countedAt;
  private double waitedNanos;
  private double answeredNanos;
  private long silentSince;
  private int queued;
  private long endedReads = UNKNOWN;
  private long endedSince;
  private double meanQueued;
  private double meanEndedANano;
  private long answeredAt;
  private long readAt;
  private boolean newReads;
  private OptionalDouble meanNanos = OptionalDouble.empty();
  private double meanWaiting;
  private double meanAnswered;
  private long sampledAt;

  EndpointTimings(SelectionRules rules, long now) {
    this.recent = new RecentTimings(rules.idle());
    this.idleNanos = rules.idle().toNanos();
    this.smoothingNanos = rules.smoothing().toNanos();
    this.silentSince = now;
    this.answeredAt = now;
    this.readAt = now;
    this.sampledAt = now;
    this.countedAt = now;
  }

  synchronized void sent(long now) {
    if (waiting == 0) {
      silentSince = now;
    }
    count(1, now);
  }

  private void count(int more, long now) {
    waitedNanos += (double) waiting * Math.max(0, now - countedAt);
    countedAt = now;
    waiting = Math.max(0, waiting + more);
  }

  private void ended(long nanos, long now) {
    count(-1, now);
    answeredNanos += nanos;
  }

  /** An answer to a read that was {@link #sent}. */
  synchronized void answered(long nanos, long now) {
    ended(nanos, now);
    timed(nanos, now);
  }

  /** A read that was timed without having been {@link #sent}, as the coordinator's own ones are. */
  synchronized void timed(long nanos, long now) {
    least.add(nanos, now);
    add(nanos, now);
    lives(now);
  }

  /** A failure is an answer, but its time says nothing about reads. */
  synchronized void failed(long nanos, long now) {
    ended(nanos, now);
    lives(now);
  }

  /** No answer came in time: evidence as slow as the wait, but no sign of life. */
  synchronized void lost(long nanos, long now) {
    ended(nanos, now);
    add(nanos, now);
  }

  synchronized void lives(long now) {
    answeredAt = now;
    silentSince = now;
  }

  /**
   * What the coordinator knows of itself, where it is this endpoint: its own reads are never {@link
   * #sent}, and so nothing is known of one until it ends.
   *
   * @param reads that no thread has begun
   * @param ended since the start
   */
  synchronized void own(int reads, long ended, long now) {
    queued = reads;
    if (endedReads != UNKNOWN && ended != endedReads) {
      endedSince += Math.max(0, ended - endedReads);
      lives(now);
    }
    endedReads = ended;
  }

  private void add(long nanos, long now) {
    recent.add(nanos, now);
    histogram.add(nanos, now);
    readAt = now;
    newReads = true;
  }

  /** The state now; moves the smoothed mean and queue on, so one caller asks, at each snapshot. */
  synchronized Reading sample(long now) {
    count(0, now);
    double passed = Math.max(1, now - sampledAt);
    double weight = -Math.expm1(-passed / smoothingNanos);
    sampledAt = now;
    meanWaiting = blend(meanWaiting, waitedNanos / passed, weight);
    meanAnswered = blend(meanAnswered, answeredNanos / passed, weight);
    meanQueued = blend(meanQueued, queued, weight);
    meanEndedANano = blend(meanEndedANano, endedSince / passed, weight);
    waitedNanos = 0;
    answeredNanos = 0;
    endedSince = 0;
    if (now - readAt > idleNanos) {
      meanNanos = OptionalDouble.empty();
    } else if (newReads) {
      OptionalDouble latest = recent.meanNanos(now);
      // the first mean after an idle time has nothing to be smoothed with
      meanNanos =
          meanNanos.isPresent() && latest.isPresent()
              ? OptionalDouble.of(blend(meanNanos.getAsDouble(), latest.getAsDouble(), weight))
              : latest;
    }
    newReads = false;
    return new Reading(
        meanNanos.isPresent()
            ? OptionalDouble.of(meanNanos.getAsDouble() / NANOS_A_MICRO)
            : OptionalDouble.empty(),
        least.value(now) / NANOS_A_MICRO,
        Math.max(1, meanWaiting - meanAnswered),
        ownWaitNanos() / NANOS_A_MICRO,
        waiting >= 2 ? now - silentSince : 0,
        answeredAt,
        readAt);
  }

  /** What a read waits for those that queue before it, at the pace at which reads end. */
  private double ownWaitNanos() {
    return meanQueued < LEAST_QUEUED
        ? 0
        : Math.min(RecentTimings.MOST_NANOS, meanQueued / meanEndedANano);
  }

  private static double blend(double before, double latest, double weight) {
    return before + weight * (latest - before);
  }

  synchronized int waiting() {
    return waiting;
  }

  /** Round trip that that share of the reads does not exceed, in microseconds; 0 if unknown. */
  synchronized double percentileMicros(double share, long now) {
    return histogram.nanos(share, now) / NANOS_A_MICRO;
  }
}
