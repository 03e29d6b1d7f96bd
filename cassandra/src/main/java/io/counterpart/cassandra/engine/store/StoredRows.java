package io.counterpart.cassandra.engine.store;

import com.google.common.collect.AbstractIterator;
import io.counterpart.cassandra.failure.StoreFailures;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.StoreException;
import java.util.Iterator;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowAndDeletionMergeIterator;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Slices of a partition with clustering, read row by row from a snapshot. The header's range
 * tombstones are merged in, and they hide rows that are older.
 */
final class StoredRows extends AbstractUnfilteredRowIterator {

  /**
   * What to read.
   *
   * @param slices in ascending order
   * @param reversed whether rows and slices come in descending order
   */
  record Query(Slices slices, ColumnFilter columns, boolean reversed) {
    static Query all(TableMetadata table) {
      return new Query(Slices.ALL, StoredRows.columns(table), false);
    }
  }

  /** The columns that entries may have: dropped ones too, whose newer cells come back with them. */
  static ColumnFilter columns(TableMetadata table) {
    if (table.droppedColumns.isEmpty()) {
      return ColumnFilter.all(table);
    }
    RegularAndStaticColumns.Builder columns =
        RegularAndStaticColumns.builder().addAll(table.regularAndStaticColumns());
    for (DroppedColumn dropped : table.droppedColumns.values()) {
      if (table.getColumn(dropped.column.name) == null) {
        columns.add(dropped.column);
      }
    }
    return ColumnFilter.selection(columns.build());
  }

  private final ImmutableBTreePartition header;
  private final byte[] headerKey;
  private final KvSnapshot snapshot;
  private final EntryCodec codec;
  private final Query query;
  private final Runnable onClose;
  private int sliceCount;
  private @Nullable KvCursor cursor;
  private @Nullable Iterator<Unfiltered> slice;

  /**
   * @param onClose releases what the iterator reads from; may be called again
   */
  StoredRows(
      ImmutableBTreePartition header,
      KvSnapshot snapshot,
      EntryCodec codec,
      Query query,
      Runnable onClose) {
    super(
        header.metadata(),
        header.partitionKey(),
        header.partitionLevelDeletion(),
        query.columns().fetchedColumns(),
        staticRow(header, query.columns()),
        query.reversed(),
        header.stats());
    this.header = header;
    this.headerKey = EntryKeys.header(header.partitionKey());
    this.snapshot = snapshot;
    this.codec = codec;
    this.query = query;
    this.onClose = onClose;
  }

  private static Row staticRow(ImmutableBTreePartition header, ColumnFilter columns) {
    if (columns.fetchedColumns().statics.isEmpty() || header.staticRow().isEmpty()) {
      return Rows.EMPTY_STATIC_ROW;
    }
    Row row =
        header
            .staticRow()
            .filter(columns, header.partitionLevelDeletion(), false, header.metadata());
    return row == null ? Rows.EMPTY_STATIC_ROW : row;
  }

  @Override
  protected Unfiltered computeNext() {
    try {
      return nextOfSlices();
    } catch (StoreException e) {
      throw StoreFailures.NODE.noted(metadata, e);
    }
  }

  private Unfiltered nextOfSlices() {
    while (true) {
      if (slice != null && slice.hasNext()) {
        return slice.next();
      }
      closeCursor();
      if (sliceCount == query.slices().size()) {
        onClose.run();
        return endOfData();
      }
      int index = isReverseOrder ? query.slices().size() - 1 - sliceCount : sliceCount;
      sliceCount++;
      slice = open(query.slices().get(index));
    }
  }

  private Iterator<Unfiltered> open(Slice bounds) {
    KvRange range = EntryKeys.rows(headerKey, metadata, bounds);
    KvCursor opened = snapshot.scan(isReverseOrder ? range.reverse() : range);
    cursor = opened;
    return new RowAndDeletionMergeIterator(
        metadata,
        partitionKey,
        partitionLevelDeletion,
        query.columns(),
        Rows.EMPTY_STATIC_ROW,
        isReverseOrder,
        stats,
        rows(opened),
        header.deletionInfo().rangeIterator(bounds, isReverseOrder),
        true);
  }

  private Iterator<Row> rows(KvCursor from) {
    return new AbstractIterator<>() {
      @Override
      protected @Nullable Row computeNext() {
        while (from.next()) {
          Row row = codec.row(from.key(), from.value());
          if (row != null) {
            return row;
          }
        }
        return endOfData();
      }
    };
  }

  private void closeCursor() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
      slice = null;
    }
  }

  @Override
  public void close() {
    closeCursor();
    onClose.run();
  }
}
