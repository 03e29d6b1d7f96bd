package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.Descriptor;

/**
 * The part of the ring that one flush writer writes: all of it, or with several data directories
 * the tokens of one of them. Immutable.
 *
 * @param ring the whole ring
 * @param tokens one range for all, or the tokens of a data directory
 */
public record RingSlice(RingSnapshot ring, Range<Token> tokens) {

  public static RingSlice all(RingSnapshot ring) {
    Token any = ring.view().end(0);
    return new RingSlice(ring, new Range<>(any, any));
  }

  /** The slice of the data directory in which the sstable lies. */
  static RingSlice of(ColumnFamilyStore cfs, RingSnapshot ring, Descriptor sstable) {
    DiskBoundaries disks = cfs.getDiskBoundaries();
    if (disks.positions == null || disks.directories.size() < 2) {
      return all(ring);
    }
    int disk = disks.getBoundariesFromSSTableDirectory(sstable);
    Token lowest = cfs.getPartitioner().getMinimumToken();
    return new RingSlice(
        ring,
        new Range<>(
            disk == 0 ? lowest : disks.positions.get(disk - 1).getToken(),
            disk == disks.positions.size() - 1 ? lowest : disks.positions.get(disk).getToken()));
  }

  /** Share of the slice's owned tokens that the ranges hold, from 0 to 1; 1 where none is owned. */
  public double shareOf(Collection<Range<Token>> ranges) {
    double owned = size(ring.ownedRanges());
    return owned == 0 ? 1 : Math.min(1, size(ranges) / owned);
  }

  /** Groups with redundant copies that have tokens in the slice. */
  int redundantGroups() {
    RingView<Token> view = ring.view();
    if (isAll()) {
      return view.redundantGroups();
    }
    Set<Integer> groups = new HashSet<>();
    for (int i = 0; i < view.arcCount(); i++) {
      Arc arc = view.arcAt(i);
      if (arc.isRedundant() && tokens.intersects(new Range<>(view.start(i), view.end(i)))) {
        groups.add(arc.group());
      }
    }
    return groups.size();
  }

  private boolean isAll() {
    return tokens.left.equals(tokens.right);
  }

  private double size(Collection<Range<Token>> ranges) {
    double sum = 0;
    for (Range<Token> range : ranges) {
      for (Range<Token> part : within(range)) {
        // partitioners without a splitter know no distance between tokens: every range is one
        sum += part.left.getPartitioner().splitter().isPresent() ? part.left.size(part.right) : 1;
      }
    }
    return sum;
  }

  private List<Range<Token>> within(Range<Token> range) {
    return isAll() ? List.of(range) : new ArrayList<>(tokens.intersectionWith(range));
  }
}
