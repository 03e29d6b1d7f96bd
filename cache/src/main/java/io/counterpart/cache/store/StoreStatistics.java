package io.counterpart.cache.store;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a tier's requests to its persistent store, since its start. Thread-safe. */
public final class StoreStatistics {
  private final AnswersBySize answers = new AnswersBySize();
  private final LongAdder reads = new LongAdder();
  private final LongAdder found = new LongAdder();
  private final LongAdder joinedReads = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder failedWrites = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unsettled = new LongAdder();

  /** Counts a read that has ended. */
  void read(boolean failed, boolean isThere) {
    reads.increment();
    if (failed) {
      failedReads.increment();
    } else if (isThere) {
      found.increment();
    }
  }

  void joinedRead() {
    joinedReads.increment();
  }

  void filled() {
    fills.increment();
  }

  void wrote(boolean failed) {
    writes.increment();
    if (failed) {
      failedWrites.increment();
    }
  }

  void refuse() {
    refused.increment();
  }

  void unsettled(int more) {
    unsettled.add(more);
  }

  /** Reads of clients that found an object. */
  public AnswersBySize answers() {
    return answers;
  }

  /** Reads that were sent to the store. */
  public long reads() {
    return reads.sum();
  }

  /** Reads that found an object. */
  public long found() {
    return found.sum();
  }

  /** Reads of clients that shared the answer of one under way. */
  public long joinedReads() {
    return joinedReads.sum();
  }

  /** Objects that were read from the store and put into memory. */
  public long fills() {
    return fills.sum();
  }

  /** Writes and deletions that were sent to the store. */
  public long writes() {
    return writes.sum();
  }

  /** Reads that the store did not answer. */
  public long failedReads() {
    return failedReads.sum();
  }

  /** Writes and deletions that the store did not acknowledge. */
  public long failedWrites() {
    return failedWrites.sum();
  }

  /** Reads and writes that were refused because too many were under way and waiting. */
  public long refused() {
    return refused.sum();
  }

  /** Keys whose copy in memory may be outdated now; they are read from the store. */
  public long unsettledKeys() {
    return unsettled.sum();
  }
}
