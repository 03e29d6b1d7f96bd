package io.counterpart.cache.coded.parity;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the work that added, removed, failed or emptied servers cause. Bytes are those of
 * values as servers hold them: records and parity items, without keys and commands. Counters start
 * at 0 when a shard is opened and never fall. Thread-safe.
 */
public final class CodedStatistics {
  private final LongAdder degradedReads = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder lostObjects = new LongAdder();
  private final LongAdder reapedObjects = new LongAdder();
  private final LongAdder emptiedStripes = new LongAdder();
  private final LongAdder evictedObjects = new LongAdder();
  private final LongAdder evictedSeconds = new LongAdder();
  private volatile long evictionAge;
  private final Tally stayed = new Tally();
  private final Tally movedWithinClass = new Tally();
  private final Tally moved = new Tally();
  private final ParityTally scalingParity = new ParityTally();
  private final ParityTally foldedParity = new ParityTally();
  private final Tally restored = new Tally();
  private final Tally restoredParity = new Tally();
  private final ReadTally degraded = new ReadTally();
  private final ReadTally repair = new ReadTally();
  private final ReadTally upkeep = new ReadTally();

  /** Counts an object that was to be decoded for a client. */
  public void degradedRead(boolean decoded) {
    (decoded ? degradedReads : failedReads).increment();
  }

  void lostObject() {
    lostObjects.increment();
  }

  public void reapedObject() {
    reapedObjects.increment();
  }

  public void emptiedStripe() {
    emptiedStripes.increment();
  }

  /**
   * For objects that left with their stripe.
   *
   * @param seconds since the stripe was opened, or since the start
   */
  public void evicted(int objects, long seconds) {
    evictedObjects.add(objects);
    evictedSeconds.add(objects * seconds);
    evictionAge = seconds;
  }

  /** Objects that moved to another stripe because theirs was evicted. */
  public Tally stayed() {
    return stayed;
  }

  /** Objects that emptying has moved to slots of other stripes. */
  public Tally movedWithinClass() {
    return movedWithinClass;
  }

  /** Objects that changes of servers have moved. */
  public Tally moved() {
    return moved;
  }

  /** Parity items that changes of servers have read and written. */
  public ParityTally scalingParity() {
    return scalingParity;
  }

  /** For writes of clients. */
  ParityTally foldedParity() {
    return foldedParity;
  }

  /** Objects that repair has restored to their server. */
  public Tally restored() {
    return restored;
  }

  /** Parity chunks that repair has encoded anew. */
  public Tally restoredParity() {
    return restoredParity;
  }

  /** What degraded reads have read: siblings, and parity items. */
  public ReadTally degraded() {
    return degraded;
  }

  /** What repair has read: siblings of lost objects, all data of lost parity, and parity items. */
  public ReadTally repair() {
    return repair;
  }

  /** For everything that no client asks for: folding, scaling, the scrub. */
  public ReadTally upkeep() {
    return upkeep;
  }

  /** Objects that were decoded for a read or a write. */
  public long degradedReads() {
    return degradedReads.sum();
  }

  /** Objects that could not be decoded. */
  public long failedReads() {
    return failedReads.sum();
  }

  /** Objects that were dropped because more of their stripe was lost than the code tolerates. */
  public long lostObjects() {
    return lostObjects.sum();
  }

  /** Expired objects that were deleted although no client asked for them. */
  public long reapedObjects() {
    return reapedObjects.sum();
  }

  /** Objects that left because servers were full. */
  public long evictedObjects() {
    return evictedObjects.sum();
  }

  /** Seconds that all evicted objects were in their stripes, added up. */
  public long evictedSeconds() {
    return evictedSeconds.sum();
  }

  /** Seconds that the objects evicted last were in their stripe; 0 before any. */
  public long evictionAgeSeconds() {
    return evictionAge;
  }

  /** Stripes that emptying has freed. */
  public long emptiedStripes() {
    return emptiedStripes.sum();
  }
}
