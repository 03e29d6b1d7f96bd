package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.Collection;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;

/**
 * Which of a flush's output files a partition goes to. One code path for the three modes: only the
 * bucket differs.
 *
 * <p>Immutable and thread-safe. Paper: DEPART §4.2 (the flush goes "to either the LSM-tree or the
 * two-layer log"); straight to runs goes beyond the paper.
 *
 * @param ring whose groups are the outputs
 * @param mode of the table
 * @param straightToRuns true where each group gets an output, false where all get a segment
 */
record FlushRouting(RingSnapshot ring, Mode mode, boolean straightToRuns) {
  private static final int PRIMARY = 0;
  private static final int SEGMENT = 1;
  private static final int FIRST_GROUP = 2;

  /** Bucket of the partition with this token; buckets are small non-negative numbers. */
  int bucket(Token token) {
    Arc arc = ring.view().arc(token);
    return switch (mode) {
      case UNIFORM -> PRIMARY;
      case MLSM -> Math.max(0, arc.replicaIndex());
      case DECOUPLED -> arc.isPrimary() ? PRIMARY : redundantBucket(arc);
    };
  }

  private int redundantBucket(Arc arc) {
    // what this node has no copy of, after a change of the ring, waits for clean-up in one file
    return straightToRuns && arc.isRedundant() ? FIRST_GROUP + arc.group() : SEGMENT;
  }

  boolean isPrimary(int bucket) {
    return bucket == PRIMARY;
  }

  /** Ranges of the tokens that go to the bucket. */
  Collection<Range<Token>> ranges(int bucket) {
    return switch (mode) {
      case UNIFORM -> ring.ownedRanges();
      case MLSM -> ring.rangesOfReplicaIndex(bucket);
      case DECOUPLED ->
          switch (bucket) {
            case PRIMARY -> ring.primaryRanges();
            case SEGMENT -> ring.redundantRanges();
            default -> ring.rangesOfGroup(bucket - FIRST_GROUP);
          };
    };
  }
}
