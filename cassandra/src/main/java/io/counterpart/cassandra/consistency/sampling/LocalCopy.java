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
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
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

  /** Whether a memtable has that write, or later ones of all columns of its first row. */
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
      if (rows.partitionLevelDeletion().markedForDeleteAt() >= timestamp) {
        return true;
      }
      if (!update.hasRows()) {
        Row written = update.staticRow();
        return !written.isEmpty() && isAt(rows.staticRow(), written, timestamp);
      }
      Row written = update.iterator().next();
      while (rows.hasNext()) {
        if (isAt(rows.next(), written, timestamp)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isAt(Unfiltered unfiltered, Row written, long timestamp) {
    if (unfiltered instanceof RangeTombstoneMarker marker) {
      // a later deletion of a range, below which the memtable does not keep the row
      return marker.isOpen(false)
          && marker.openDeletionTime(false).markedForDeleteAt() >= timestamp;
    }
    return isAt((Row) unfiltered, written, timestamp);
  }

  /** A later write of another column tells nothing: clients' clocks differ. */
  private static boolean isAt(Row row, Row written, long timestamp) {
    if (row.deletion().time().markedForDeleteAt() >= timestamp) {
      return true;
    }
    if (!written.deletion().isLive()
        || row.primaryKeyLivenessInfo().timestamp()
            < written.primaryKeyLivenessInfo().timestamp()) {
      return false;
    }
    for (ColumnData column : written) {
      if (!isAt(row, column)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAt(Row row, ColumnData written) {
    if (written instanceof ComplexColumnData complex) {
      ComplexColumnData there = row.getComplexColumnData(complex.column());
      return there != null && isAt(there, complex);
    }
    Cell<?> there = row.getCell(written.column());
    return there != null && there.timestamp() >= written.maxTimestamp();
  }

  /** By the first element: there may be many. */
  private static boolean isAt(ComplexColumnData there, ComplexColumnData written) {
    long deletedAt = there.complexDeletion().markedForDeleteAt();
    if (written.cellsCount() == 0) {
      return deletedAt >= written.complexDeletion().markedForDeleteAt();
    }
    Cell<?> first = written.iterator().next();
    Cell<?> cell = there.getCell(first.path());
    return deletedAt >= first.timestamp() || cell != null && cell.timestamp() >= first.timestamp();
  }
}
