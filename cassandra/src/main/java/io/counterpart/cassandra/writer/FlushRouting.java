package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.Collection;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;

/**
 * Routes each partition of a flush to one of the output files. One code path serves the three
 * modes: only the bucket differs.
 *
 * <p>Immutable and thread-safe. Paper: DEPART §4.2 (the flush goes "to either the LSM-tree or the
 * two-layer log"); straight to runs goes beyond the paper.
 *
 * @param ring whose groups are the outputs
 * @param mode of the table
 * @param outputs of mode decoupled
 */
record FlushRouting(RingSnapshot ring, Mode mode, Outputs outputs) {
  private static final int PRIMARY = 0;
  private static final int SEGMENT = 1;
  private static final int FIRST_GROUP = 2;
  private static final int UNDIVIDED = Integer.MAX_VALUE;

  /** What a flush of a decoupled table writes. */
  enum Outputs {
    /** One file of a small table's undivided log. */
    UNDIVIDED,
    /** A wide primary file and a segment. */
    SEGMENT,
    /** A wide primary file and a run for each group. */
    RUNS
  }

  /** Bucket of the partition with this token; buckets are small non-negative numbers. */
  int bucket(Token token) {
    if (outputs == Outputs.UNDIVIDED) {
      return UNDIVIDED;
    }
    Arc arc = ring.view().arc(token);
    return switch (mode) {
      case UNIFORM -> PRIMARY;
      case MLSM -> Math.max(0, arc.replicaIndex());
      case DECOUPLED -> arc.isPrimary() ? PRIMARY : redundantBucket(arc);
    };
  }

  private int redundantBucket(Arc arc) {
    // what this node has no copy of, after a change of the ring, waits for clean-up in one file
    return outputs == Outputs.RUNS && arc.isRedundant() ? FIRST_GROUP + arc.group() : SEGMENT;
  }

  /** Share of the bucket's content that is primary copies, from 0 to 1. */
  double primaryShare(int bucket) {
    return switch (bucket) {
      case PRIMARY -> 1;
      case UNDIVIDED -> RingSlice.all(ring).shareOf(ring.primaryRanges());
      default -> 0;
    };
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
            case UNDIVIDED -> ring.ownedRanges();
            default -> ring.rangesOfGroup(bucket - FIRST_GROUP);
          };
    };
  }
}
