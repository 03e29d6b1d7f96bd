package io.counterpart.core.selection;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * The latest reads of one endpoint: at most 32, of the last 10 s, but never fewer than two if there
 * were two. Their mean leaves out the slowest run of reads that were answered one after another, an
 * eighth of them, at least one, and takes none for more than 2 s.
 *
 * <p>What delays an endpoint once, such as a garbage collection, delays reads whose answers come
 * together; a mean of all would take four time-outs of 5 s among 32 reads for 625 ms. A slow disk
 * delays reads whose answers come among those of reads from the cache; a mean without the slowest
 * eighth, or a median, would take an endpoint that answers one read of ten after 300 ms for a fast
 * one. Worked, at 5 ms a read: four slow reads of 1 s in a row leave 5 ms; with a fast one between
 * each two of them it is 76 ms, since the run holds two.
 *
 * <p>Two slow reads in a row count even if the reads before them are older than 10 s. So a single
 * client that waits for each time-out has an effect at its second one, and an avoided endpoint that
 * is tried again is avoided at its first slow read. Not thread-safe.
 */
public final class RecentTimings {
  private static final int MOST = 32;
  private static final int LEAST = 2;
  private static final int LEFT_OUT = 8;

  /** A read that took longer counts as if it took that. */
  static final long MOST_NANOS = Duration.ofSeconds(2).toNanos();

  private final long rememberedNanos;
  private final long[] nanos = new long[MOST];
  private final long[] atNanos = new long[MOST];
  private int size;
  private int next;

  public RecentTimings(Duration remembered) {
    this.rememberedNanos = remembered.toNanos();
  }

  public void add(long readNanos, long now) {
    nanos[next] = Math.min(readNanos, MOST_NANOS);
    atNanos[next] = now;
    next = (next + 1) % MOST;
    size = Math.min(size + 1, MOST);
    while (size > LEAST && now - atNanos[oldest()] > rememberedNanos) {
      size--;
    }
  }

  private int oldest() {
    return Math.floorMod(next - size, MOST);
  }

  /** The mean in nanoseconds; empty where one read is all there is, or none is of the last 10 s. */
  public OptionalDouble meanNanos(long now) {
    if (size < LEAST || now - atNanos[Math.floorMod(next - 1, MOST)] > rememberedNanos) {
      return OptionalDouble.empty();
    }
    int run = Math.max(1, size / LEFT_OUT);
    long total = 0;
    long ofRun = 0;
    long ofSlowestRun = 0;
    for (int i = 0; i < size; i++) {
      total += nanosOf(i);
      ofRun += nanosOf(i) - (i < run ? 0 : nanosOf(i - run));
      ofSlowestRun = Math.max(ofSlowestRun, ofRun);
    }
    return OptionalDouble.of((double) (total - ofSlowestRun) / (size - run));
  }

  private long nanosOf(int fromOldest) {
    return nanos[(oldest() + fromOldest) % MOST];
  }
}
