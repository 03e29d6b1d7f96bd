package io.counterpart.cassandra.writer;

import java.util.Collection;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;

/**
 * Estimates the partitions of an output that covers given token ranges; the estimate sizes the
 * output's Bloom filter. A filter for a quarter of its keys passes 68 % of the reads that it should
 * stop.
 */
@FunctionalInterface
interface OutputKeys {
  /** Partitions for which a filter of 1.2 MiB does: too little to be worth a closer estimate. */
  long FEW = 1 << 20;

  /** At least 1. */
  long in(Collection<Range<Token>> ranges);

  /** Partitions of a flush are spread evenly over the tokens that this node owns. */
  static OutputKeys ofFlush(long keys, RingSlice slice) {
    return ranges -> Math.max(1, (long) Math.ceil(keys * slice.shareOf(ranges)));
  }

  /**
   * The same of a spill by rank: what was in memory is spread so, and what was in the store is
   * primary copies.
   */
  static OutputKeys ofSpillByRank(long inMemory, long stored, RingSlice slice) {
    OutputKeys spread = ofFlush(inMemory, slice);
    return ranges -> spread.in(ranges) + (ranges.equals(slice.ring().primaryRanges()) ? stored : 0);
  }

  /**
   * A stream covers a few ranges that nobody tells, so each output may get all of it. Cassandra has
   * divided its partitions among the data directories; a small stream may go to one of them whole.
   *
   * @param keysEach partitions, divided by the number of directories
   */
  static OutputKeys ofStream(long keysEach, int directories) {
    long all = (keysEach + 1) * directories;
    long keys = directories == 1 ? keysEach : Math.max(keysEach, Math.min(all, FEW));
    return ranges -> Math.max(1, keys);
  }
}
