package io.counterpart.cache.coded.parity;

/** Counts parity items read and written for one purpose. Thread-safe. */
public record ParityTally(Tally read, Tally written) {

  /** With counters at 0. */
  public ParityTally() {
    this(new Tally(), new Tally());
  }
}
