package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.ring.RingSnapshot;
import java.util.Collection;
import java.util.Set;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Estimates the partitions of a rewrite's inputs that fall into one range group. Each output's
 * Bloom filter is sized for its share of its group alone; sizing each for the full count would
 * waste a filter's memory each time.
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

  /**
   * Estimated distinct partitions in one output of the group, at least 1.
   *
   * @param outputBytes on disk at which an output is closed: a large group has several
   */
  long of(int group, long outputBytes) {
    Collection<Range<Token>> ranges = ring.rangesOfGroup(group);
    double keys = 0;
    double bytes = 0;
    for (SSTableReader input : inputs) {
      double here = input.estimatedKeysForRanges(ranges);
      keys += here;
      bytes += input.onDiskLength() * Math.min(1, here / Math.max(1, input.estimatedKeys()));
    }
    return inOneOutput(keys * uniqueShare, bytes * uniqueShare, outputBytes);
  }

  /** As in Cassandra's own writers, a last output that is not full does not count. */
  static long inOneOutput(double keys, double bytes, long outputBytes) {
    double outputs = Math.max(1, Math.floor(bytes / outputBytes));
    return Math.max(1, Math.round(keys / outputs));
  }
}
