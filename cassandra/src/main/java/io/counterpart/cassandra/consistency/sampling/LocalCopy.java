package io.counterpart.cassandra.consistency.sampling;

import com.google.common.collect.Iterables;
import io.counterpart.cassandra.engine.direct.DirectMemtable;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Tells whether this node has applied a write that it coordinates. A coordinator applies its own
 * copy without a message, so there is no acknowledgement to see; the memtables tell instead. Once
 * those of the question's time are flushed or discarded nothing tells any more, and the write
 * counts as applied. Never touches a disk or a store: direct writes to one show only then.
 * Stateless.
 */
final class LocalCopy {
  private LocalCopy() {}

  /** Whether {@link #has} can tell: range deletions alone leave no row to look for. */
  static boolean canTell(PartitionUpdate update) {
    return update.hasRows()
        || !update.staticRow().isEmpty()
        || !update.partitionLevelDeletion().isLive();
  }

  /** Tells whether an update whose write has returned has been applied here. */
  static BooleanSupplier watch(PartitionUpdate update) {
    TableMetadata table = update.metadata();
    // by the keyspace: a search of all tables costs as much as the question
    Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
    ColumnFamilyStore cfs = keyspace == null ? null : keyspace.getIfExists(table.id);
    return cfs == null ? () -> true : watch(cfs, update);
  }

  private static BooleanSupplier watch(ColumnFamilyStore cfs, PartitionUpdate update) {
    Memtable current = cfs.getTracker().getView().getCurrentMemtable();
    return () -> has(cfs, update) || !Iterables.contains(memtables(cfs), current);
  }

  private static Iterable<Memtable> memtables(ColumnFamilyStore cfs) {
    return cfs.getTracker().getView().getAllMemtables();
  }

  /** Whether a memtable has that write, or a later one of its first row. */
  private static boolean has(ColumnFamilyStore cfs, PartitionUpdate update) {
    try (OpOrder.Group ignored = cfs.readOrdering.start()) {
      return has(memtables(cfs), update);
    }
  }

  static boolean has(Iterable<Memtable> memtables, PartitionUpdate update) {
    long timestamp = update.maxTimestamp();
    Slices slices =
        update.hasRows()
            ? Slices.with(
                update.metadata().comparator, Slice.make(update.iterator().next().clustering()))
            : Slices.NONE;
    for (Memtable memtable : memtables) {
      // one before a store would ask that, which may be on a server
      Memtable asked = memtable instanceof DirectMemtable direct ? direct.inMemory() : memtable;
      if (has(asked, update, slices, timestamp)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(
      Memtable memtable, PartitionUpdate update, Slices slices, long timestamp) {
    try (UnfilteredRowIterator rows =
        memtable.rowIterator(
            update.partitionKey(),
            slices,
            ColumnFilter.all(update.metadata()),
            false,
            SSTableReadsListener.NOOP_LISTENER)) {
      // there is none where the memtable lacks the partition
      if (rows == null) {
        return false;
      }
      if (rows.partitionLevelDeletion().markedForDeleteAt() >= timestamp
          || isAt(rows.staticRow(), timestamp)) {
        return true;
      }
      while (rows.hasNext()) {
        if (isAt(rows.next(), timestamp)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isAt(Unfiltered unfiltered, long timestamp) {
    if (unfiltered instanceof RangeTombstoneMarker marker) {
      // a later deletion of a range, below which the memtable does not keep the row
      return marker.isOpen(false)
          && marker.openDeletionTime(false).markedForDeleteAt() >= timestamp;
    }
    return isAt((Row) unfiltered, timestamp);
  }

  private static boolean isAt(Row row, long timestamp) {
    if (row.primaryKeyLivenessInfo().timestamp() >= timestamp
        || row.deletion().time().markedForDeleteAt() >= timestamp) {
      return true;
    }
    for (ColumnData column : row) {
      if (column.maxTimestamp() >= timestamp) {
        return true;
      }
    }
    return false;
  }
}
