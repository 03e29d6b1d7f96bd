package io.counterpart.cache.coded.parity;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the work that added, removed, failed or emptied servers cause. Bytes are those of
 * values as servers hold them: records and parity items, without keys and commands. Counters start
 * at 0 when a shard is opened and never fall. Thread-safe.
 *
 * @param degradedReads objects that were decoded for a read or a write
 * @param failedReads objects that could not be decoded
 * @param lostObjects objects that were dropped because more of their stripe was lost than the code
 *     tolerates
 * @param reapedObjects expired objects that were deleted although no client asked for them
 * @param emptiedStripes stripes that emptying has freed
 * @param evictedObjects objects that left because servers were full
 * @param evictedSeconds seconds that all evicted objects were in their stripes, added up
 * @param evictionAgeSeconds seconds that the objects evicted last were in their stripe; 0 before
 *     any
 * @param stayed objects that moved to another stripe because theirs was evicted
 * @param movedWithinClass objects that emptying has moved to slots of other stripes
 * @param moved objects that changes of servers have moved
 * @param scalingParity parity items that changes of servers have read and written
 * @param foldedParity the same for writes of clients
 * @param restored objects that repair has restored to their server
 * @param restoredParity parity chunks that repair has encoded anew
 * @param degraded what degraded reads have read: siblings, and parity items
 * @param repair what repair has read: siblings of lost objects, all data of lost parity, and parity
 *     items
 * @param upkeep reads for everything that no client asks for: folding, scaling, the scrub
 */
public record CodedStatistics(
    LongAdder degradedReads,
    LongAdder failedReads,
    LongAdder lostObjects,
    LongAdder reapedObjects,
    LongAdder emptiedStripes,
    LongAdder evictedObjects,
    LongAdder evictedSeconds,
    AtomicLong evictionAgeSeconds,
    Tally stayed,
    Tally movedWithinClass,
    Tally moved,
    ParityTally scalingParity,
    ParityTally foldedParity,
    Tally restored,
    Tally restoredParity,
    ReadTally degraded,
    ReadTally repair,
    ReadTally upkeep) {

  /** With counters at 0. */
  public CodedStatistics() {
    this(
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new AtomicLong(),
        new Tally(),
        new Tally(),
        new Tally(),
        new ParityTally(),
        new ParityTally(),
        new Tally(),
        new Tally(),
        new ReadTally(),
        new ReadTally(),
        new ReadTally());
  }

  /** Counts an object that was to be decoded for a client. */
  public void degradedRead(boolean decoded) {
    (decoded ? degradedReads : failedReads).increment();
  }

  /**
   * For objects that left with their stripe.
   *
   * @param seconds since the stripe was opened, or since the start
   */
  public void evicted(int objects, long seconds) {
    evictedObjects.add(objects);
    evictedSeconds.add(objects * seconds);
    evictionAgeSeconds.set(seconds);
  }
}
