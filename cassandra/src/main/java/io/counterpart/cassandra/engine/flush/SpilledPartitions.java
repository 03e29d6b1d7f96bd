package io.counterpart.cassandra.engine.flush;

import com.google.common.collect.AbstractIterator;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.StoredState;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** The partitions of a memtable and of a store, merged, in the order of tokens. */
public final class SpilledPartitions extends AbstractIterator<Partition> {
  private final Iterator<? extends Partition> delta;
  private final UnfilteredPartitionIterator stored;
  private final Runnable atEnd;
  private @Nullable Partition nextDelta;
  private @Nullable UnfilteredRowIterator nextStored;

  /**
   * @param stored closed at the end
   * @param atEnd run at the end; may throw
   */
  public SpilledPartitions(
      Iterator<? extends Partition> delta, UnfilteredPartitionIterator stored, Runnable atEnd) {
    this.delta = delta;
    this.stored = stored;
    this.atEnd = atEnd;
  }

  /** The columns of a table's stores and of a memtable together. */
  public static RegularAndStaticColumns columns(
      TableMetadata table, RegularAndStaticColumns inMemory) {
    RegularAndStaticColumns.Builder all =
        RegularAndStaticColumns.builder().addAll(table.regularAndStaticColumns()).addAll(inMemory);
    // cells that are newer than the drop are kept, as in sstables
    table.droppedColumns.values().forEach(dropped -> all.add(dropped.column));
    return all.build();
  }

  /** At most the minima of a memtable and of stores. */
  public static EncodingStats stats(EncodingStats inMemory, List<Generation> stores) {
    StoredState stored =
        stores.stream().map(each -> each.store().state()).reduce(StoredState::plus).orElseThrow();
    return new EncodingStats(
        Math.min(inMemory.minTimestamp, stored.minTimestamp()),
        Math.min(inMemory.minLocalDeletionTime, stored.minLocalDeletionTime()),
        0);
  }

  @Override
  protected @Nullable Partition computeNext() {
    if (nextDelta == null && delta.hasNext()) {
      nextDelta = delta.next();
    }
    if (nextStored == null && stored.hasNext()) {
      nextStored = stored.next();
    }
    Partition inMemory = nextDelta;
    UnfilteredRowIterator inStore = nextStored;
    if (inMemory == null && inStore == null) {
      stored.close();
      atEnd.run();
      return endOfData();
    }
    int order =
        inMemory == null
            ? 1
            : inStore == null ? -1 : inMemory.partitionKey().compareTo(inStore.partitionKey());
    if (order <= 0) {
      nextDelta = null;
    }
    if (order >= 0) {
      nextStored = null;
    }
    if (inMemory == null || order > 0) {
      return new Merged(Objects.requireNonNull(inStore));
    }
    return inStore == null || order < 0
        ? inMemory
        : new Merged(UnfilteredRowIterators.merge(List.of(inStore, inMemory.unfilteredIterator())));
  }

  /** A partition as a flush reads it: whole, and once. */
  private record Merged(UnfilteredRowIterator content) implements Partition {
    @Override
    public TableMetadata metadata() {
      return content.metadata();
    }

    @Override
    public DecoratedKey partitionKey() {
      return content.partitionKey();
    }

    @Override
    public DeletionTime partitionLevelDeletion() {
      return content.partitionLevelDeletion();
    }

    @Override
    public RegularAndStaticColumns columns() {
      return content.columns();
    }

    @Override
    public EncodingStats stats() {
      return content.stats();
    }

    @Override
    public boolean isEmpty() {
      return content.isEmpty();
    }

    @Override
    public boolean hasRows() {
      return content.hasNext();
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator() {
      return content;
    }

    @Override
    public Row getRow(Clustering<?> clustering) {
      throw new UnsupportedOperationException("a flush reads partitions whole");
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(
        ColumnFilter columns, Slices slices, boolean reversed) {
      throw new UnsupportedOperationException("a flush reads partitions whole");
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(
        ColumnFilter columns, NavigableSet<Clustering<?>> clusterings, boolean reversed) {
      throw new UnsupportedOperationException("a flush reads partitions whole");
    }
  }
}
