package io.counterpart.cache.store;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a tier's requests to its persistent store, since its start. Thread-safe.
 *
 * @param answers reads of clients that found an object
 * @param reads reads that were sent to the store
 * @param found reads that found an object
 * @param joinedReads reads of clients that shared the answer of one under way
 * @param fills objects that were read from the store and put into memory
 * @param writes writes and deletions that were sent to the store
 * @param failedReads reads that the store did not answer
 * @param failedWrites writes and deletions that the store did not acknowledge
 * @param refused reads and writes that were refused because too many were under way and waiting
 * @param unsettledKeys keys whose copy in memory may be outdated now; they are read from the store
 */
public record StoreStatistics(
    AnswersBySize answers,
    LongAdder reads,
    LongAdder found,
    LongAdder joinedReads,
    LongAdder fills,
    LongAdder writes,
    LongAdder failedReads,
    LongAdder failedWrites,
    LongAdder refused,
    LongAdder unsettledKeys) {

  /** With counters at 0. */
  public StoreStatistics() {
    this(
        new AnswersBySize(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder());
  }

  /** Counts a read that has ended. */
  void read(boolean failed, boolean isThere) {
    reads.increment();
    if (failed) {
      failedReads.increment();
    } else if (isThere) {
      found.increment();
    }
  }

  void wrote(boolean failed) {
    writes.increment();
    if (failed) {
      failedWrites.increment();
    }
  }
}
