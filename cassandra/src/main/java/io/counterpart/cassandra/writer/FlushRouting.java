package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.Collection;
import java.util.List;
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
  private static final int ABOVE_LAST_END = 2;
  private static final int FIRST_GROUP = 3;
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
      case DECOUPLED -> arc.isPrimary() ? PRIMARY : redundantBucket(arc, token);
    };
  }

  private int redundantBucket(Arc arc, Token token) {
    // what this node has no copy of, after a change of the ring, waits for clean-up in one file
    if (outputs != Outputs.RUNS || !arc.isRedundant()) {
      return SEGMENT;
    }
    // both parts of the arc that wraps in one run would overlap with every other sstable
    boolean wraps = !ring.view().hasScatteredGroups() && ring.view().isAboveLastEnd(token);
    return wraps ? ABOVE_LAST_END : FIRST_GROUP + arc.group();
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
            case ABOVE_LAST_END -> List.of(aboveLastEnd());
            case UNDIVIDED -> ring.ownedRanges();
            default -> rangesOfRun(bucket - FIRST_GROUP);
          };
    };
  }

  private Collection<Range<Token>> rangesOfRun(int group) {
    Collection<Range<Token>> all = ring.rangesOfGroup(group);
    return ring.view().hasScatteredGroups()
        ? all
        : all.stream().filter(range -> !range.equals(aboveLastEnd())).toList();
  }

  /** Of the arc that wraps, the part at the end of the ring. */
  private Range<Token> aboveLastEnd() {
    Token lastEnd = ring.view().start(0);
    return new Range<>(lastEnd, lastEnd.getPartitioner().getMinimumToken());
  }
}
