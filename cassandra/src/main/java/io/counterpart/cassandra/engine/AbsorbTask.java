package io.counterpart.cassandra.engine;

import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A compaction that moves an sstable into the table's store: throttled, shown and stopped as any
 * compaction.
 */
final class AbsorbTask extends CompactionTask {
  private final SSTableAbsorption absorption;
  private final EngineTable table;

  AbsorbTask(SSTableAbsorption absorption, EngineTable table, LifecycleTransaction transaction) {
    super(table.table(), transaction, table.table().gcBefore(FBUtilities.nowInSeconds()));
    this.absorption = absorption;
    this.table = table;
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction transaction,
      Set<SSTableReader> inputs) {
    absorption.begun();
    try {
      return new AbsorbingWriter(absorption, table, directories, transaction, inputs);
    } catch (RuntimeException | Error e) {
      absorption.ended();
      throw e;
    }
  }
}
