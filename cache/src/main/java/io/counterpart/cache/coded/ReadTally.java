package io.counterpart.cache.coded;

/** Counts reads of stripes for one purpose. Thread-safe. */
final class ReadTally {
  private final Tally records = new Tally();
  private final Tally parity = new Tally();

  Tally records() {
    return records;
  }

  Tally parity() {
    return parity;
  }
}
