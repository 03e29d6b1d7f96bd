package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.btree.BTree;
import org.jspecify.annotations.Nullable;

/**
 * One step of a walk through a store's entries, in the order of their keys. It does to each
 * partition what a merge of nothing with all of its rows would do: drops what deletions hide, and
 * what has expired or was deleted if the rule allows. A header whose deletion was cut off is
 * finished then.
 *
 * <p>A step reads so many bytes, so a large partition takes several. Rows go at once. Deletions of
 * the header go with the partition's last step, when no row is left that they hide: a deletion that
 * was cut off between its batches may have left some. Therefore they stay if the header has changed
 * since the partition's first step. Used for one step.
 */
final class EntrySweep {
  /** Of an entry beside its key and value. */
  private static final long ENTRY_BYTES = 64;

  private final PartitionReader reader;
  private final KvSnapshot snapshot;
  private final MergeBatch batch;
  private final PurgeRule rule;
  private @Nullable SweptPartition partition;

  EntrySweep(PartitionReader reader, KvSnapshot snapshot, MergeBatch batch, PurgeRule rule) {
    this.reader = reader;
    this.snapshot = snapshot;
    this.batch = batch;
    this.rule = rule;
  }

  SweepStep run(SweepStep.Position from, SweepStep.Limit limit) {
    LongPredicate isOver = limit.begin();
    resume(from);
    long bytes = 0;
    try (KvCursor cursor = snapshot.scan(KvRange.of(from.next(), null))) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (partition != null && !partition.has(key)) {
          partition.end(from.next());
          partition = null;
        }
        if (isOver.test(bytes)) {
          SweepStep.Begun begun = partition == null ? null : partition.begun;
          return new SweepStep(new SweepStep.Position(key, begun), batch.changes());
        }
        byte[] value = cursor.value();
        bytes += key.length + value.length + ENTRY_BYTES;
        if (partition == null) {
          partition = new SweptPartition(new SweepStep.Begun(key, value), value, false);
        } else {
          partition.sweepRow(key, value);
        }
      }
    }
    if (partition != null) {
      partition.end(from.next());
    }
    return new SweepStep(null, batch.changes());
  }

  private void resume(SweepStep.Position from) {
    SweepStep.Begun begun = from.partition();
    byte[] value = begun == null ? null : snapshot.get(begun.key());
    partition = begun == null || value == null ? null : new SweptPartition(begun, value, true);
  }

  private final class SweptPartition {
    private final SweepStep.Begun begun;
    private final byte[] value;
    private final boolean isResumed;
    private final ImmutableBTreePartition header;
    private final DecoratedKey key;
    private final DeletionInfo deletions;
    private final Purging purging;
    private boolean hasRows;

    /**
     * @param value the header now
     * @param isResumed whether rows of it are behind
     */
    SweptPartition(SweepStep.Begun begun, byte[] value, boolean isResumed) {
      this.begun = begun;
      this.value = value;
      this.isResumed = isResumed;
      this.header = reader.codec().header(begun.key(), value);
      this.key = header.partitionKey();
      this.deletions = header.deletionInfo();
      this.purging = rule.purging(reader.table(), key, Long.MAX_VALUE);
    }

    /** Whether an entry behind the header is a row of the partition. */
    boolean has(byte[] entryKey) {
      int length = begun.key().length;
      return entryKey.length > length && Arrays.equals(entryKey, 0, length, begun.key(), 0, length);
    }

    void sweepRow(byte[] rowKey, byte[] rowValue) {
      Row before = reader.codec().row(rowKey, rowValue);
      Row after = before == null ? null : purging.kept(before, deletions);
      if (after == null) {
        batch.delete(rowKey);
        return;
      }
      hasRows = true;
      if (!after.equals(before)) {
        batch.put(rowKey, reader.codec().row(rowKey, key, after));
      }
    }

    /**
     * All rows are behind.
     *
     * @param from where the step began
     */
    void end(byte[] from) {
      if (!Arrays.equals(value, begun.value())) {
        return;
      }
      DeletionInfo keptDeletions = purging.kept(deletions);
      Row staticRow = purging.keptStatic(header.staticRow(), deletions);
      Object[] row = singleRow();
      boolean isNeeded =
          hasRows
              || !keptDeletions.isLive()
              || !staticRow.isEmpty()
              || !BTree.isEmpty(row)
              || hasRowsBefore(from);
      if (!isNeeded) {
        batch.delete(begun.key());
        batch.gain(-1);
        return;
      }
      byte[] next = reader.codec().header(begun.key(), key, keptDeletions, staticRow, row);
      if (!Arrays.equals(next, value)) {
        batch.put(begun.key(), next);
      }
    }

    /** In a table without clustering the header has the row. */
    private Object[] singleRow() {
      Row row = header.hasRows() ? header.iterator().next() : null;
      Row kept = row == null ? null : purging.kept(row, deletions.getPartitionDeletion());
      return kept == null ? BTree.empty() : BTree.singleton(kept);
    }

    /** Rows that an earlier step has kept, or that came meanwhile. */
    private boolean hasRowsBefore(byte[] from) {
      if (!isResumed) {
        return false;
      }
      byte[] first = Arrays.copyOf(begun.key(), begun.key().length + 1);
      try (KvCursor cursor = snapshot.scan(KvRange.of(first, from))) {
        return cursor.next();
      }
    }
  }
}
