package io.counterpart.cassandra.engine.flush;

import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.StoreSizes;
import io.counterpart.engine.StoreAwayException;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;

/**
 * What Cassandra writes to one sstable.
 *
 * @param memtable the one that Cassandra flushes
 * @param delta its content in memory, with the bounds and sizes that are passed on
 * @param columns of all partitions
 * @param encodingStats at most the minima of all partitions
 * @param more what comes to the memtable's content from the store
 * @param partitions made when Cassandra begins to write
 */
public record FlushSet(
    Memtable memtable,
    Memtable.FlushablePartitionSet<?> delta,
    RegularAndStaticColumns columns,
    EncodingStats encodingStats,
    Sizes more,
    Supplier<Iterator<Partition>> partitions)
    implements Memtable.FlushablePartitionSet<Partition> {

  /** A number of partitions and the bytes of their data. */
  public record Sizes(long partitions, long bytes) {
    /** Keys are short beside data; this only sizes files in advance. */
    private static final long KEY_BYTES = 16;

    /** Of stores; none if their server does not say. */
    public static Sizes of(List<Generation> stores) {
      try {
        StoreSizes sizes = StoreSizes.of(stores);
        return new Sizes(sizes.partitions(), sizes.usedBytes());
      } catch (StoreAwayException e) {
        return new Sizes(0, 0);
      }
    }
  }

  @Override
  public Iterator<Partition> iterator() {
    return partitions.get();
  }

  @Override
  public PartitionPosition from() {
    return delta.from();
  }

  @Override
  public PartitionPosition to() {
    return delta.to();
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return memtable.getCommitLogLowerBound();
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return memtable.getFinalCommitLogUpperBound();
  }

  @Override
  public long partitionCount() {
    return delta.partitionCount() + more.partitions();
  }

  @Override
  public long partitionKeysSize() {
    return delta.partitionKeysSize() + Sizes.KEY_BYTES * more.partitions();
  }

  @Override
  public long dataSize() {
    return delta.dataSize() + more.bytes();
  }
}
