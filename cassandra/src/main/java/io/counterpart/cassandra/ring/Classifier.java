package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import io.counterpart.core.ring.Role;
import java.util.Collection;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.PartitionPositionBounds;
import org.jspecify.annotations.Nullable;

/**
 * Derives the {@link Placed} of an sstable from its content and the ring. By its bounds where these
 * lie in one group (microseconds); otherwise by comparing the bytes that it holds in the ranges of
 * each kind with its length (index look-ups, below 5 ms).
 *
 * <p>Stateless and thread-safe. Paper: DEPART §4.2.
 */
public final class Classifier {
  private Classifier() {}

  /** By first and last token alone, without I/O; null where that does not tell. */
  public static @Nullable Placed byBounds(SSTableReader sstable, RingSnapshot ring) {
    RingView<Token> view = ring.view();
    Token first = sstable.getFirst().getToken();
    return view.withinOneGroup(first, sstable.getLast().getToken())
        ? ofGroup(view.arc(first))
        : null;
  }

  /** Reads the index where the bounds do not tell. */
  public static Placed place(SSTableReader sstable, RingSnapshot ring) {
    Placed byBounds = byBounds(sstable, ring);
    if (byBounds != null) {
      return byBounds;
    }
    RingView<Token> view = ring.view();
    Arc arc = view.arc(sstable.getFirst().getToken());
    // a group with the arc that wraps lies at both ends of the token order
    boolean oneGroup =
        arc.group() == view.arc(sstable.getLast().getToken()).group()
            && holdsOnly(sstable, ring.rangesOfGroup(arc.group()));
    return oneGroup ? ofGroup(arc) : placeWide(sstable, ring);
  }

  private static Placed ofGroup(Arc arc) {
    Role role = !arc.isOwned() ? Role.FOREIGN : arc.isPrimary() ? Role.PRIMARY : Role.RUN;
    return new Placed(role, arc.group(), arc.replicaIndex());
  }

  private static Placed placeWide(SSTableReader sstable, RingSnapshot ring) {
    long total = sstable.uncompressedLength();
    int onlyIndex = -1;
    long owned = 0;
    for (int index = 0; index < ring.replicaIndexes(); index++) {
      long bytes = bytesIn(sstable, ring.rangesOfReplicaIndex(index));
      owned += bytes;
      if (bytes == total) {
        onlyIndex = index;
      }
    }
    if (onlyIndex == 0) {
      return new Placed(Role.WIDE_PRIMARY, Placed.NO_GROUP, 0);
    }
    if (owned == 0) {
      return new Placed(Role.FOREIGN, Placed.NO_GROUP, -1);
    }
    boolean redundantOnly = onlyIndex > 0 || holdsOnly(sstable, ring.redundantRanges());
    return new Placed(redundantOnly ? Role.SEGMENT : Role.MIXED, Placed.NO_GROUP, onlyIndex);
  }

  private static boolean holdsOnly(SSTableReader sstable, Collection<Range<Token>> ranges) {
    return bytesIn(sstable, ranges) == sstable.uncompressedLength();
  }

  private static long bytesIn(SSTableReader sstable, Collection<Range<Token>> ranges) {
    long sum = 0;
    for (PartitionPositionBounds bounds : sstable.getPositionsForRanges(ranges)) {
      sum += bounds.upperPosition - bounds.lowerPosition;
    }
    return sum;
  }
}
