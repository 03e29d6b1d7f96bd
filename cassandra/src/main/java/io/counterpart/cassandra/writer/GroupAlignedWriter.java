package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.Collection;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.Descriptor;
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
public final class GroupAlignedWriter extends CompactionAwareWriter {
  private static final int NONE = -1;

  private final Alignment alignment;
  private final RingSnapshot ring;
  private final GroupKeys keys;
  private int group = NONE;
  private boolean wrapped;
  private long sstableBytes;

  public GroupAlignedWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> inputs,
      Alignment alignment) {
    super(cfs, directories, txn, inputs, false);
    this.alignment = alignment;
    this.ring = alignment.ring();
    this.keys = new GroupKeys(ring, inputs, estimatedTotalKeys);
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

  /** As the stock one, but for the tracker. */
  @Override
  protected SSTableWriter sstableWriter(Directories.DataDirectory directory, DecoratedKey nextKey) {
    Descriptor descriptor =
        cfs.newSSTableDescriptor(getDirectories().getLocationForDisk(directory));
    return newWriterBuilder(descriptor)
        .setMetadataCollector(
            new MetadataCollector(txn.originals(), cfs.metadata().comparator)
                .sstableLevel(sstableLevel()))
        .setSerializationHeader(SerializationHeader.make(cfs.metadata(), nonExpiredSSTables))
        .setKeyCount(sstableKeyCount())
        .build(OutputTracker.of(txn), cfs);
  }

  /** Whether the key lies in another group than the one before, or beyond the end of the ring. */
  private boolean enter(DecoratedKey key) {
    Arc arc = ring.view().arc(key.getToken());
    // both parts of the arc that wraps in one sstable would overlap with every other sstable
    boolean nextWrapped = ring.view().isAboveLastEnd(key.getToken());
    boolean crosses = arc.group() != group || nextWrapped != wrapped;
    group = arc.group();
    sstableBytes = alignment.side(arc).sstableBytes();
    wrapped = nextWrapped;
    return crosses;
  }

  @Override
  protected long sstableKeyCount() {
    return keys.of(group);
  }

  @Override
  public Collection<SSTableReader> finish() {
    Collection<SSTableReader> outputs = super.finish();
    alignment.count(outputs);
    return outputs;
  }
}
