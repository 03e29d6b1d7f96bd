package io.counterpart.cassandra.engine.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.RangeTombstoneBoundMarker;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.utils.AbstractIterator;
import org.jspecify.annotations.Nullable;

/**
 * A partition in parts that fit into memory. Together they are the partition: the first has its
 * deletion and static row, and a range deletion that goes over a cut is two. Not thread-safe.
 */
public final class PartitionChunks extends AbstractIterator<ImmutableBTreePartition> {
  private static final long MOST_BYTES = 1L << 20;

  private final UnfilteredRowIterator partition;
  private final long mostBytes;
  private boolean isFirst = true;

  /** A range deletion that the last cut went through. */
  private @Nullable RangeTombstoneMarker open;

  /**
   * @param partition in ascending order; the caller closes it
   */
  public PartitionChunks(UnfilteredRowIterator partition) {
    this(partition, MOST_BYTES);
  }

  PartitionChunks(UnfilteredRowIterator partition, long mostBytes) {
    this.partition = partition;
    this.mostBytes = mostBytes;
  }

  @Override
  protected @Nullable ImmutableBTreePartition computeNext() {
    if (!isFirst && !partition.hasNext()) {
      return endOfData();
    }
    List<Unfiltered> content = new ArrayList<>();
    DeletionTime deletion = null;
    if (open != null) {
      content.add(open);
      deletion = open.openDeletionTime(false);
      open = null;
    }
    long bytes = 0;
    while (partition.hasNext()) {
      Unfiltered next = partition.next();
      content.add(next);
      if (next instanceof RangeTombstoneMarker marker) {
        deletion = marker.isOpen(false) ? marker.openDeletionTime(false) : null;
        continue;
      }
      bytes += ((Row) next).dataSize();
      if (bytes >= mostBytes && partition.hasNext()) {
        if (deletion != null) {
          cut(content, next.clustering(), deletion);
        }
        break;
      }
    }
    ImmutableBTreePartition chunk = ImmutableBTreePartition.create(new Part(content));
    isFirst = false;
    return chunk;
  }

  private void cut(List<Unfiltered> content, ClusteringPrefix<?> row, DeletionTime deletion) {
    content.add(
        new RangeTombstoneBoundMarker(
            ClusteringBound.create(ClusteringPrefix.Kind.INCL_END_BOUND, row), deletion));
    open =
        new RangeTombstoneBoundMarker(
            ClusteringBound.create(ClusteringPrefix.Kind.EXCL_START_BOUND, row), deletion);
  }

  private final class Part extends AbstractUnfilteredRowIterator {
    private final Iterator<Unfiltered> content;

    Part(List<Unfiltered> content) {
      super(
          partition.metadata(),
          partition.partitionKey(),
          isFirst ? partition.partitionLevelDeletion() : DeletionTime.LIVE,
          partition.columns(),
          isFirst ? partition.staticRow() : Rows.EMPTY_STATIC_ROW,
          false,
          partition.stats());
      this.content = content.iterator();
    }

    @Override
    protected Unfiltered computeNext() {
      return content.hasNext() ? content.next() : endOfData();
    }
  }
}
