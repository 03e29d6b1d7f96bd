package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.SplitTime;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import org.apache.cassandra.dht.Token;

/**
 * Which of a flush's output files a partition goes to. One code path for the three modes: only the
 * bucket differs.
 *
 * <p>Immutable and thread-safe. Paper: DEPART §4.2 (the flush goes "to either the LSM-tree or the
 * two-layer log"); straight to runs goes beyond the paper.
 */
final class FlushRouting {
  private static final int PRIMARY = 0;
  private static final int SEGMENT = 1;
  private static final int FIRST_GROUP = 2;
  private static final int UNDIVIDED = Integer.MAX_VALUE;

  private final RingSnapshot ring;
  private final DecoupledOptions options;
  private final boolean straightToRuns;
  private final boolean undivided;

  /**
   * @param flushBytes what a flush of this table writes on average, in bytes; 0 where unknown
   * @param undivided all in one file, as the table is small
   */
  FlushRouting(RingSnapshot ring, DecoupledOptions options, long flushBytes, boolean undivided) {
    this.ring = ring;
    this.options = options;
    this.undivided = undivided;
    this.straightToRuns = straightToRuns(ring, options, flushBytes);
  }

  private static boolean straightToRuns(
      RingSnapshot ring, DecoupledOptions options, long flushBytes) {
    double redundantBytes = flushBytes * ring.shareOf(ring.redundantRanges());
    return options.splitTime() == SplitTime.FLUSH
        || (options.splitTime() == SplitTime.AUTO
            && redundantBytes >= (double) options.minRunBytes() * Math.max(1, groups(ring))
            && options.minRunBytes() > 0);
  }

  private static int groups(RingSnapshot ring) {
    return ring.view().redundantGroups();
  }

  /** Bucket of the partition with this token; buckets are small non-negative numbers. */
  int bucket(Token token) {
    if (undivided) {
      return UNDIVIDED;
    }
    Arc arc = ring.view().arc(token);
    return switch (options.mode()) {
      case UNIFORM -> PRIMARY;
      case MLSM -> Math.max(0, arc.replicaIndex());
      case DECOUPLED ->
          arc.isPrimary() ? PRIMARY : straightToRuns ? FIRST_GROUP + arc.group() : SEGMENT;
    };
  }

  /** Share of the bucket's content that is primary copies, from 0 to 1. */
  double primaryShare(int bucket) {
    return switch (bucket) {
      case PRIMARY -> 1;
      case UNDIVIDED -> ring.shareOf(ring.primaryRanges());
      default -> 0;
    };
  }

  /** Share of the node's tokens that go to the bucket, from 0 to 1: sizes the Bloom filter. */
  double share(int bucket) {
    return switch (options.mode()) {
      case UNIFORM -> 1;
      case MLSM -> ring.shareOf(ring.rangesOfReplicaIndex(bucket));
      case DECOUPLED ->
          switch (bucket) {
            case PRIMARY -> ring.shareOf(ring.primaryRanges());
            case SEGMENT -> ring.shareOf(ring.redundantRanges());
            case UNDIVIDED -> 1;
            default -> ring.shareOf(ring.rangesOfGroup(bucket - FIRST_GROUP));
          };
    };
  }
}
