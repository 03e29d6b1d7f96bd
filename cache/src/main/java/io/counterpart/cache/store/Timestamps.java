package io.counterpart.cache.store;

import java.util.function.LongSupplier;

/**
 * Timestamps of writes: microseconds since 1970, strictly increasing even when the clock stands
 * still or goes back. Not thread-safe.
 */
final class Timestamps {
  private final LongSupplier clockMicros;
  private long last;

  Timestamps(LongSupplier clockMicros) {
    this.clockMicros = clockMicros;
  }

  long next() {
    last = Math.max(last + 1, clockMicros.getAsLong());
    return last;
  }

  /** Notes a timestamp that was read: all further ones are higher. */
  void seen(long timestamp) {
    last = Math.max(last, timestamp);
  }
}
