package io.counterpart.cassandra.engine.store;

import io.counterpart.cassandra.failure.StoreFailures;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.StoreException;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Partitions of a range of tokens, in order, from one snapshot. */
final class StoredPartitions extends AbstractUnfilteredPartitionIterator {
  private final TableMetadata table;
  private final KvSnapshot snapshot;
  private final PartitionReader reader;
  private final Function<DecoratedKey, StoredRows.Query> queries;
  private KvRange rest;
  private @Nullable ImmutableBTreePartition next;
  private boolean ended;

  /**
   * @param snapshot closed with the iterator
   * @param queries what to read of each partition
   */
  StoredPartitions(
      KvSnapshot snapshot,
      PartitionReader reader,
      KvRange range,
      Function<DecoratedKey, StoredRows.Query> queries) {
    this.table = reader.table();
    this.snapshot = snapshot;
    this.reader = reader;
    this.rest = range;
    this.queries = queries;
  }

  @Override
  public TableMetadata metadata() {
    return table;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = header();
      } catch (StoreException e) {
        throw StoreFailures.NODE.noted(table, e);
      }
      ended = next == null;
    }
    return next != null;
  }

  private @Nullable ImmutableBTreePartition header() {
    try (KvCursor cursor = snapshot.scan(rest)) {
      if (!cursor.next()) {
        return null;
      }
      ImmutableBTreePartition header = reader.codec().header(cursor.key(), cursor.value());
      rest = KvRange.of(EntryKeys.behind(header.partitionKey()), rest.to());
      return header;
    }
  }

  @Override
  public UnfilteredRowIterator next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    ImmutableBTreePartition header = next;
    next = null;
    return reader.rows(header, snapshot, queries.apply(header.partitionKey()), () -> {});
  }

  @Override
  public void close() {
    ended = true;
    next = null;
    snapshot.close();
  }
}
