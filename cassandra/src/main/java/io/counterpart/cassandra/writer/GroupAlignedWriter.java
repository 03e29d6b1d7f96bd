package io.counterpart.cassandra.writer;

import io.counterpart.core.ring.Arc;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;

/**
 * Compaction writer whose outputs never cross a range group: it closes the sstable at every group
 * boundary and at the size limit. An aligned sstable streams whole, because a recovering node asks
 * for whole arcs.
 *
 * <p>Paper: DEPART §4.3 (range-based grouping, sorted runs).
 */
public final class GroupAlignedWriter extends AlignedWriter {
  private static final int NONE = -1;

  private int group = NONE;
  private boolean wrapped;
  private long sstableBytes;

  public GroupAlignedWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> inputs,
      Alignment alignment) {
    super(cfs, directories, txn, inputs, alignment);
  }

  @Override
  protected boolean shouldSwitchWriterInCurrentLocation(DecoratedKey key) {
    boolean crosses = enter(key);
    SSTableWriter current = sstableWriter.currentWriter();
    return crosses
        ? current.getFilePointer() > 0
        : current.getEstimatedOnDiskBytesWritten() >= sstableBytes;
  }

  @Override
  protected void switchCompactionWriter(Directories.DataDirectory directory, DecoratedKey nextKey) {
    enter(nextKey);
    super.switchCompactionWriter(directory, nextKey);
  }

  /** Whether the key lies in another group than the one before, or beyond the end of the ring. */
  private boolean enter(DecoratedKey key) {
    Arc arc = ring().view().arc(key.getToken());
    // both parts of the arc that wraps in one sstable would overlap with every other sstable
    boolean nextWrapped = ring().view().isAboveLastEnd(key.getToken());
    boolean crosses = arc.group() != group || nextWrapped != wrapped;
    group = arc.group();
    sstableBytes = sstableBytes(arc);
    wrapped = nextWrapped;
    return crosses;
  }

  @Override
  int group() {
    return group;
  }

  @Override
  MetadataCollector statistics() {
    return new MetadataCollector(txn.originals(), cfs.metadata().comparator)
        .sstableLevel(sstableLevel());
  }
}
