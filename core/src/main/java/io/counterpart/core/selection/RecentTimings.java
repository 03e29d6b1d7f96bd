package io.counterpart.core.selection;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * The latest reads of one endpoint: at most 32, of the last 10 s, but never fewer than two if there
 * were two. Their mean leaves out the slowest eighth, at least one, and takes none for more than 2
 * s.
 *
 * <p>Reads that a garbage collection delays, or of a wide partition, come in among the others and
 * say little about them: a mean of all would take one time-out of 5 s among 32 reads for 156 ms. A
 * median would miss the endpoint whose disk fails a third of the reads. Worked, at 5 ms a read:
 * four time-outs of 32 leave 5 ms, five make it 76 ms.
 *
 * <p>Two slow reads in a row count even if the reads before them are older than 10 s. So a single
 * client that waits for each time-out has an effect at its second one, and an avoided endpoint that
 * is tried again is avoided at its first slow read. Not thread-safe.
 */
public final class RecentTimings {
  private static final int MOST = 32;
  private static final int LEAST = 2;
  private static final long CLIP_NANOS = Duration.ofSeconds(2).toNanos();

  private final long rememberedNanos;
  private final long[] nanos = new long[MOST];
  private final long[] atNanos = new long[MOST];
  private final long[] ascending = new long[MOST];
  private int size;
  private int next;

  public RecentTimings(Duration remembered) {
    this.rememberedNanos = remembered.toNanos();
  }

  public void add(long readNanos, long now) {
    nanos[next] = Math.min(readNanos, CLIP_NANOS);
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
    for (int i = 0; i < size; i++) {
      ascending[i] = nanos[(oldest() + i) % MOST];
    }
    Arrays.sort(ascending, 0, size);
    int kept = size - Math.max(1, size / 8);
    return Arrays.stream(ascending, 0, kept).average();
  }
}
