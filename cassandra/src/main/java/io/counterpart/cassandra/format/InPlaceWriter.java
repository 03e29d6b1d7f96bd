package io.counterpart.cassandra.format;

import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.writers.DefaultCompactionWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;

/** Stock's writer of one sstable from all inputs, in a format of its own. */
public final class InPlaceWriter extends DefaultCompactionWriter {
  private final CopyFormat format;

  /**
   * @param inputs those of the transaction that have not expired
   */
  public InPlaceWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> inputs,
      CopyFormat format) {
    super(cfs, directories, txn, inputs);
    this.format = format;
  }

  @Override
  protected SSTableWriter.Builder<?, ?> newWriterBuilder(Descriptor descriptor) {
    return format.applied(super.newWriterBuilder(descriptor));
  }

  @Override
  protected long sstableKeyCount() {
    return format.filterKeys(super.sstableKeyCount(), cfs.metadata().params.bloomFilterFpChance);
  }
}
