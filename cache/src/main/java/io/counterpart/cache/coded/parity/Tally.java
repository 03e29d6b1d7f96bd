package io.counterpart.cache.coded.parity;

import java.util.concurrent.atomic.LongAdder;

/** The number of values of one kind that went over the wire, and their bytes. Thread-safe. */
public final class Tally {
  private final LongAdder values = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  public void add(long valueBytes) {
    values.increment();
    bytes.add(valueBytes);
  }

  public long values() {
    return values.sum();
  }

  public long bytes() {
    return bytes.sum();
  }
}
