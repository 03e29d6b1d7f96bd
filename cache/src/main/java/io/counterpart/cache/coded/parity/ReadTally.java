package io.counterpart.cache.coded.parity;

/** Counts reads of stripes for one purpose. Thread-safe. */
public record ReadTally(Tally records, Tally parity) {

  /** With counters at 0. */
  public ReadTally() {
    this(new Tally(), new Tally());
  }
}
