package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.ring.RingSnapshot;
import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Estimates the partitions of a rewrite's inputs that fall into one range group. Each output's
 * Bloom filter is sized for its group alone; sizing each for the full count would waste a filter's
 * memory each time.
 */
final class GroupKeys {
  private final RingSnapshot ring;
  private final Set<SSTableReader> inputs;
  private final double uniqueShare;

  /**
   * @param uniqueKeys estimated number of distinct partitions in all inputs together
   */
  GroupKeys(RingSnapshot ring, Set<SSTableReader> inputs, long uniqueKeys) {
    this.ring = ring;
    this.inputs = inputs;
    long keys = inputs.stream().mapToLong(SSTableReader::estimatedKeys).sum();
    this.uniqueShare = keys == 0 ? 1 : Math.min(1, (double) uniqueKeys / keys);
  }

  /** Estimated distinct partitions in the group, at least 1. */
  long of(int group) {
    long keys = 0;
    for (SSTableReader input : inputs) {
      keys += input.estimatedKeysForRanges(ring.rangesOfGroup(group));
    }
    return Math.max(1, Math.round(keys * uniqueShare));
  }
}
