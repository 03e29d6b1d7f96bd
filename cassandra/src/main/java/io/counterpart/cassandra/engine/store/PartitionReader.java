package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvSnapshot;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Reads partitions of a table, as its definition is now, from snapshots of its store. */
record PartitionReader(TableMetadata table, EntryCodec codec) {

  PartitionReader(TableMetadata table) {
    this(table, new EntryCodec(table));
  }

  /** The header of a partition; null if the store has nothing of the partition. */
  @Nullable ImmutableBTreePartition header(KvSnapshot snapshot, DecoratedKey key) {
    byte[] entryKey = EntryKeys.header(key);
    byte[] value = snapshot.get(entryKey);
    return value == null ? null : codec.header(entryKey, value);
  }

  /**
   * The partition of a header.
   *
   * @param onClose run when the iterator needs the snapshot no more
   */
  UnfilteredRowIterator rows(
      ImmutableBTreePartition header,
      KvSnapshot snapshot,
      StoredRows.Query query,
      Runnable onClose) {
    if (table.comparator.size() == 0) {
      onClose.run();
      return header.unfilteredIterator(query.columns(), query.slices(), query.reversed());
    }
    return new StoredRows(header, snapshot, codec, query, onClose);
  }
}
