package io.counterpart.cache.coded.parity;

/** Counts reads of stripes for one purpose. Thread-safe. */
public final class ReadTally {
  private final Tally records = new Tally();
  private final Tally parity = new Tally();

  Tally records() {
    return records;
  }

  public Tally parity() {
    return parity;
  }
}
