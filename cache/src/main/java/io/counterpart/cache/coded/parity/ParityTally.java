package io.counterpart.cache.coded.parity;

/** Counts parity items read and written for one purpose. Thread-safe. */
public final class ParityTally {
  private final Tally read = new Tally();
  private final Tally written = new Tally();

  public Tally read() {
    return read;
  }

  public Tally written() {
    return written;
  }
}
