package io.counterpart.cache.control;

/**
 * The state of a coded tier's objects. Counts are since the proxy's start.
 *
 * @param n rings, and chunks of a stripe
 * @param k data chunks of a stripe
 * @param coder name of the coder, and the reason for its choice
 * @param ringsUp rings whose servers are all used
 * @param indexBytes memory of the indexes
 * @param logBytes of the metadata log on disk
 * @param journalBytes on servers, all copies
 * @param degradedReads objects decoded for a read or a write
 * @param failedReads objects that could not be decoded for a read or a write
 * @param lostObjects objects dropped because more was lost than the code tolerates
 * @param restoredObjects objects that repair has restored to their server
 * @param restoredParity parity items that repair has encoded anew
 * @param movedObjects objects that changes of servers have moved
 * @param stripesToRestore stripes that repair has still to visit, once for each server
 * @param slots slots of all stripes
 * @param emptiedStripes stripes that emptying has freed
 * @param objectsOfEmptied objects that emptying has moved
 * @param reapedObjects expired objects deleted although nobody asked for them
 * @param evictedObjects objects that left because servers were full
 * @param stayedObjects objects that moved to another stripe because theirs was evicted
 * @param evictedSeconds seconds that all evicted objects were in their stripes, added up
 * @param evictionAgeSeconds the same of those evicted last, each
 * @param metadataCopies copies of the metadata that count, the owner's included; 0 without peers
 */
public record CodedReport(
    int n,
    int k,
    String coder,
    int ringsUp,
    long objects,
    int openStripes,
    int sealedStripes,
    long indexBytes,
    long logBytes,
    long journalBytes,
    long degradedReads,
    long failedReads,
    long lostObjects,
    long restoredObjects,
    long restoredParity,
    long movedObjects,
    long stripesToRestore,
    long slots,
    long emptiedStripes,
    long objectsOfEmptied,
    long reapedObjects,
    long evictedObjects,
    long stayedObjects,
    long evictedSeconds,
    long evictionAgeSeconds,
    int metadataCopies) {

  /** Number of rings that may have a server that is down while every object is readable. */
  public int parityCount() {
    return n - k;
  }

  /** Share of slots in use, 0 to 1; 1 without slots. */
  public double liveShare() {
    return slots == 0 ? 1 : (double) objects / slots;
  }

  /** Number of rings with a server that is not used. */
  public int ringsDown() {
    return n - ringsUp;
  }
}
