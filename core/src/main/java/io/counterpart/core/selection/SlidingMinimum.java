package io.counterpart.core.selection;

import java.time.Duration;
import java.util.Arrays;

/**
 * The least value of the last 50 to 60 s, in six slots of 10 s. Not thread-safe.
 *
 * <p>A minimum since the start would be wrong for ever after a route gets longer; single values of
 * a minute would take memory in proportion to the load.
 */
final class SlidingMinimum {
  private static final int SLOTS = 6;
  private static final long SLOT_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long NONE = Long.MAX_VALUE;

  private final long[] least = new long[SLOTS];
  private long slot = Long.MIN_VALUE;

  SlidingMinimum() {
    Arrays.fill(least, NONE);
  }

  void add(long value, long now) {
    advance(now);
    int index = Math.floorMod(slot, SLOTS);
    least[index] = Math.min(least[index], value);
  }

  /** 0 where the last minute has no value. */
  long value(long now) {
    advance(now);
    long smallest = Arrays.stream(least).min().orElse(NONE);
    return smallest == NONE ? 0 : smallest;
  }

  private void advance(long now) {
    long current = Math.floorDiv(now, SLOT_NANOS);
    if (slot == Long.MIN_VALUE || current - slot >= SLOTS) {
      Arrays.fill(least, NONE);
      slot = current;
    }
    while (slot < current) {
      slot++;
      least[Math.floorMod(slot, SLOTS)] = NONE;
    }
  }
}
