package io.counterpart.core.selection.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A node: a cache, and a queue before a number of reads at once. The time of a read is half fixed,
 * half exponential. In a pause nothing starts or ends. Not thread-safe; times in nanoseconds.
 */
final class SimulatedNode {
  private static final double NANOS_A_MICRO = 1_000;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double BURST_NANOS = NANOS_A_SECOND / 10;

  private final Scenario.NodeModel model;
  private final SplittableRandom random;
  private final RowCache cache;
  private final Deque<SimulatedRead> queue = new ArrayDeque<>();
  private int serving;
  private long pausedUntil;
  private double factor = 1;
  private double diskFreeAt;
  private long ended;
  private long hits;
  private long reads;

  SimulatedNode(Scenario.NodeModel model, int cachedRows, SplittableRandom random) {
    this.model = model;
    this.cache = new RowCache(cachedRows);
    this.random = random;
  }

  void slow(double times) {
    factor = times;
  }

  void pauseUntil(long until) {
    pausedUntil = Math.max(pausedUntil, until);
  }

  long pausedUntil() {
    return pausedUntil;
  }

  /** Takes a read in; returns the time at which it will be served, or -1 where it has to queue. */
  long arrive(SimulatedRead read, long now) {
    if (serving >= model.parallelReads()) {
      queue.add(read);
      return -1;
    }
    serving++;
    return start(read, now);
  }

  /** Ends a read; returns the one that begins in its place, if any. */
  @Nullable SimulatedRead served() {
    ended++;
    SimulatedRead next = queue.poll();
    if (next == null) {
      serving--;
    }
    return next;
  }

  /** The time at which a read that begins now will be served. */
  long start(SimulatedRead read, long now) {
    reads++;
    boolean hasLimit = model.diskReadsPerSecond() > 0;
    double mean = model.hitMicros();
    double waitMicros = 0;
    if (cache.read(read.key)) {
      hits++;
    } else {
      mean += model.diskMicros();
      waitMicros = hasLimit ? waitForDisk(now) : 0;
    }
    double micros =
        waitMicros + (hasLimit ? 1 : factor) * mean * (0.5 + 0.5 * Exponential.draw(random));
    read.serviceNanos = Math.round(micros * NANOS_A_MICRO);
    return Math.max(now, pausedUntil) + read.serviceNanos;
  }

  /** A disk with a limit lets a burst through at once, as volumes and throttled devices do. */
  private double waitForDisk(long now) {
    double gap = factor * NANOS_A_SECOND / model.diskReadsPerSecond();
    double from = Math.max(diskFreeAt, now - BURST_NANOS);
    diskFreeAt = from + gap;
    return Math.max(0, diskFreeAt - now) / NANOS_A_MICRO;
  }

  int queued() {
    return queue.size();
  }

  /** Reads that have ended since the start. */
  long ended() {
    return ended;
  }

  int inside() {
    return serving + queue.size();
  }

  void forgetCounts() {
    hits = 0;
    reads = 0;
  }

  long hits() {
    return hits;
  }

  long reads() {
    return reads;
  }
}
