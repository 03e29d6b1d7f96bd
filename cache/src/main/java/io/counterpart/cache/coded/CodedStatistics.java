package io.counterpart.cache.coded;

import java.util.concurrent.atomic.LongAdder;

/** Counts of what a shard had to do because servers were down or had lost items. Thread-safe. */
public final class CodedStatistics {
  private final LongAdder degradedReads = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder restoredObjects = new LongAdder();
  private final LongAdder restoredParity = new LongAdder();
  private final LongAdder movedObjects = new LongAdder();
  private final LongAdder lostObjects = new LongAdder();

  void degradedRead(boolean decoded) {
    (decoded ? degradedReads : failedReads).increment();
  }

  void movedObject() {
    movedObjects.increment();
  }

  void lostObject() {
    lostObjects.increment();
  }

  void broughtBackObject() {
    restoredObjects.increment();
  }

  void encodedParity() {
    restoredParity.increment();
  }

  /** Objects that were decoded for a read or a write. */
  public long degradedReads() {
    return degradedReads.sum();
  }

  /** Objects that could not be decoded. */
  public long failedReads() {
    return failedReads.sum();
  }

  /** Objects that have moved to another server since rings changed. */
  public long movedObjects() {
    return movedObjects.sum();
  }

  /** Objects that were dropped, since more was lost of their stripe than the code bears. */
  public long lostObjects() {
    return lostObjects.sum();
  }

  /** Objects that repair has brought back to their server. */
  public long restoredObjects() {
    return restoredObjects.sum();
  }

  /** Parity chunks that repair has encoded anew. */
  public long restoredParity() {
    return restoredParity.sum();
  }
}
