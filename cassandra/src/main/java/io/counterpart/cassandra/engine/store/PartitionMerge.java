package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.btree.BTree;
import org.jspecify.annotations.Nullable;

/**
 * Merges one partition of a memtable into its entries: reads those it needs from a snapshot, puts
 * the changes into a batch.
 *
 * <p>Deletions of the memtable are applied to the stored rows that they cover. Rows are reconciled
 * by Cassandra's own {@link Rows#merge}. What a deletion hides is dropped; deletions themselves are
 * dropped if the purger allows. Merging the same partition again changes nothing.
 *
 * <p>A deletion that covers more rows than a batch holds is several batches. The first one has the
 * deletion itself, which hides what the others remove, in a header that says so: if they do not
 * come, the next merge applies all deletions of the partition once more. Used for one partition.
 */
final class PartitionMerge {
  private final TableMetadata table;
  private final EntryCodec codec;
  private final MergeSnapshot snapshot;
  private final MergeBatch batch;
  private final Purging purging;

  /** Whether batches before the last one were committed, and the store has a header. */
  private boolean isHeaderCommitted;

  PartitionMerge(
      PartitionReader reader, MergeSnapshot snapshot, MergeBatch batch, Purging purging) {
    this.table = reader.table();
    this.codec = reader.codec();
    this.snapshot = snapshot;
    this.batch = batch;
    this.purging = purging;
  }

  void merge(ImmutableBTreePartition delta) {
    DecoratedKey key = delta.partitionKey();
    byte[] headerKey = EntryKeys.header(key);
    byte[] value = snapshot.now().get(headerKey);
    ImmutableBTreePartition stored = value == null ? null : codec.header(headerKey, value);
    boolean isCutOff = value != null && EntryCodec.isUnfinished(value);
    DeletionInfo deletions = deletions(stored, delta);
    Row staticRow = staticRow(stored, delta, deletions);
    boolean single = table.comparator.size() == 0;
    Object[] row = single ? singleRow(stored, delta, deletions) : BTree.empty();
    Runnable commitHeader =
        () -> {
          // one that was cut off hides already what goes, and the update comes as a whole
          if (!isHeaderCommitted && (!isCutOff || !delta.deletionInfo().isLive())) {
            batch.put(headerKey, codec.unfinished(headerKey, key, deletions, staticRow, row));
            batch.gain(stored == null ? 1 : 0);
          }
          isHeaderCommitted = true;
          snapshot.commit(batch);
        };
    RowsMerge rows = new RowsMerge(headerKey, delta, deletions, commitHeader);
    boolean hasRows = !single && rows.merge(isCutOff ? deletions : delta.deletionInfo());

    DeletionInfo keptDeletions = purging.kept(deletions);
    boolean isNeeded =
        hasRows
            || isHeaderCommitted
            || !keptDeletions.isLive()
            || !staticRow.isEmpty()
            || !BTree.isEmpty(row);
    if (isNeeded) {
      batch.put(headerKey, codec.header(headerKey, key, keptDeletions, staticRow, row));
      batch.gain(stored == null && !isHeaderCommitted ? 1 : 0);
    } else if (stored != null) {
      batch.delete(headerKey);
      batch.gain(-1);
    }
  }

  private static DeletionInfo deletions(
      @Nullable ImmutableBTreePartition stored, ImmutableBTreePartition delta) {
    return stored == null
        ? delta.deletionInfo()
        : stored.deletionInfo().mutableCopy().add(delta.deletionInfo().mutableCopy());
  }

  private Row staticRow(
      @Nullable ImmutableBTreePartition stored,
      ImmutableBTreePartition delta,
      DeletionInfo deletions) {
    Row merged =
        stored == null || stored.staticRow().isEmpty()
            ? delta.staticRow()
            : delta.staticRow().isEmpty()
                ? stored.staticRow()
                : Rows.merge(stored.staticRow(), delta.staticRow());
    return purging.keptStatic(merged, deletions);
  }

  private Object[] singleRow(
      @Nullable ImmutableBTreePartition stored,
      ImmutableBTreePartition delta,
      DeletionInfo deletions) {
    Row before = stored == null || !stored.hasRows() ? null : stored.iterator().next();
    Row update = delta.hasRows() ? delta.iterator().next() : null;
    Row merged = before == null ? update : update == null ? before : Rows.merge(before, update);
    Row kept = merged == null ? null : purging.kept(merged, deletions.getPartitionDeletion());
    return kept == null ? BTree.empty() : BTree.singleton(kept);
  }

  /** The rows of the partition, which are entries of their own. */
  private final class RowsMerge {
    private final byte[] headerKey;
    private final ImmutableBTreePartition delta;
    private final DeletionInfo deletions;
    private final Runnable commitHeader;
    private final Set<byte[]> removed = new TreeSet<>(Arrays::compareUnsigned);

    RowsMerge(
        byte[] headerKey,
        ImmutableBTreePartition delta,
        DeletionInfo deletions,
        Runnable commitHeader) {
      this.headerKey = headerKey;
      this.delta = delta;
      this.deletions = deletions;
      this.commitHeader = commitHeader;
    }

    /**
     * Whether the partition has rows afterwards, as far as a needed header depends on it.
     *
     * @param next deletions that have not been applied to all stored rows that they cover
     */
    boolean merge(DeletionInfo next) {
      boolean kept = hideAll(next);
      for (Row update : delta) {
        byte[] rowKey = EntryKeys.row(headerKey, table, update.clustering());
        byte[] value = snapshot.now().get(rowKey);
        Row before = value == null ? null : codec.row(rowKey, value);
        Row merged = before == null ? update : Rows.merge(before, update);
        Row result = purging.kept(merged, deletions);
        if (result != null) {
          batch.put(rowKey, codec.row(rowKey, delta.partitionKey(), result));
          kept = true;
        } else if (value != null) {
          remove(rowKey);
        }
      }
      return kept || !isHeaderCommitted && hasOthers();
    }

    private boolean hideAll(DeletionInfo next) {
      if (!next.getPartitionDeletion().isLive()) {
        return hide(Slice.ALL);
      }
      boolean kept = false;
      Iterator<RangeTombstone> ranges = next.rangeIterator(false);
      while (ranges.hasNext()) {
        kept |= hide(ranges.next().deletedSlice());
      }
      return kept;
    }

    private boolean hide(Slice slice) {
      boolean kept = false;
      KvRange rest = EntryKeys.rows(headerKey, table, slice);
      while (true) {
        byte[] last = null;
        try (KvCursor cursor = snapshot.now().scan(rest)) {
          while (!batch.isFull() && cursor.next()) {
            last = cursor.key();
            kept |= hide(last, cursor.value());
          }
        }
        if (!batch.isFull()) {
          return kept;
        }
        commitHeader.run();
        removed.clear();
        rest = last == null ? rest : KvRange.of(Arrays.copyOf(last, last.length + 1), rest.to());
      }
    }

    private boolean hide(byte[] rowKey, byte[] value) {
      ImmutableBTreePartition entry = codec.rowWithKey(rowKey, value);
      Row before = EntryCodec.row(entry);
      Row after = before == null ? null : purging.kept(before, deletions);
      if (after == null) {
        remove(rowKey);
        return false;
      }
      if (!after.equals(before)) {
        batch.put(rowKey, codec.row(rowKey, entry.partitionKey(), after));
      }
      return true;
    }

    private void remove(byte[] rowKey) {
      batch.delete(rowKey);
      removed.add(rowKey);
    }

    private boolean hasOthers() {
      try (KvCursor cursor = snapshot.now().scan(EntryKeys.rows(headerKey, table, Slice.ALL))) {
        while (cursor.next()) {
          if (!removed.contains(cursor.key())) {
            return true;
          }
        }
        return false;
      }
    }
  }
}
