package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.PartitionChunks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The output of a compaction that writes to a store and to no sstable. All is durable in the store
 * before Cassandra removes the inputs; whatever ends it earlier leaves both, and merging again does
 * no harm.
 */
final class AbsorbingWriter extends CompactionAwareWriter {
  private static final long BATCH_BYTES = 4L << 20;

  private final SSTableAbsorption absorption;
  private final EngineTable table;
  private final List<ImmutableBTreePartition> batch = new ArrayList<>();
  private long batchBytes;

  AbsorbingWriter(
      SSTableAbsorption absorption,
      EngineTable table,
      Directories directories,
      LifecycleTransaction transaction,
      Set<SSTableReader> inputs) {
    super(table.table(), directories, transaction, inputs, false);
    this.absorption = absorption;
    this.table = table;
  }

  @Override
  protected void switchCompactionWriter(Directories.DataDirectory directory, DecoratedKey key) {
    currentDirectory = directory;
  }

  @Override
  protected boolean shouldSwitchWriterInCurrentLocation(DecoratedKey key) {
    return false;
  }

  @Override
  protected long sstableKeyCount() {
    return 0;
  }

  @Override
  protected boolean realAppend(UnfilteredRowIterator partition) {
    PartitionChunks chunks = new PartitionChunks(partition);
    while (chunks.hasNext()) {
      absorption.checkGoesOn();
      ImmutableBTreePartition chunk = chunks.next();
      batch.add(chunk);
      batchBytes += bytes(chunk);
      if (batchBytes >= BATCH_BYTES) {
        absorb();
      }
    }
    return true;
  }

  private static long bytes(ImmutableBTreePartition chunk) {
    long bytes = chunk.partitionKey().getKeyLength() + chunk.staticRow().dataSize();
    for (Row row : chunk) {
      bytes += row.dataSize();
    }
    return bytes;
  }

  private void absorb() {
    table.absorbUnpurged(batch);
    if (!batch.isEmpty()) {
      table.server().took();
    }
    batch.clear();
    batchBytes = 0;
  }

  @Override
  protected void doPrepare() {
    absorption.checkGoesOn();
    absorb();
    // what is no longer in these sstables' metadata is in the store's position
    table.log().advance();
    super.doPrepare();
  }

  @Override
  protected Throwable doPostCleanup(Throwable accumulate) {
    try {
      return super.doPostCleanup(accumulate);
    } finally {
      absorption.ended();
    }
  }
}
