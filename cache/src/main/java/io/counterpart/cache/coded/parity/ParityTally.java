package io.counterpart.cache.coded.parity;

/** Counts parity items read and written for one purpose. Thread-safe. */
final class ParityTally {
  private final Tally read = new Tally();
  private final Tally written = new Tally();

  Tally read() {
    return read;
  }

  Tally written() {
    return written;
  }
}
