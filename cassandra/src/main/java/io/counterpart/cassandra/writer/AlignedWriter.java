package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
 * Compaction writer whose outputs lie in one range group each: the Bloom filter of an output is
 * sized for its group, and its bytes count by the kind of its copies.
 */
abstract class AlignedWriter extends CompactionAwareWriter {
  private final Alignment alignment;
  private final RingSnapshot ring;
  private final GroupKeys keys;

  AlignedWriter(
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

  /** The range group of the output that is opened next. */
  abstract int group();

  /** Gathers the statistics of one output, with the level of this writer's sstables. */
  abstract MetadataCollector statistics();

  /** Finished outputs beside those of the stock writer. */
  Collection<SSTableReader> moreOutputs() {
    return List.of();
  }

  final RingSnapshot ring() {
    return ring;
  }

  /** Bytes on disk at which an output with copies of the arc is closed. */
  final long sstableBytes(Arc arc) {
    return alignment.side(arc).sstableBytes();
  }

  /** As the stock one, but for the tracker and the format. */
  @Override
  protected final SSTableWriter sstableWriter(
      Directories.DataDirectory directory, DecoratedKey nextKey) {
    Descriptor descriptor =
        cfs.newSSTableDescriptor(getDirectories().getLocationForDisk(directory));
    Alignment.Side side = alignment.side(ring.view().arc(nextKey.getToken()));
    CopyFormat format = side.format();
    double chance = cfs.metadata().params.bloomFilterFpChance;
    SSTableWriter.Builder<?, ?> builder = format.applied(newWriterBuilder(descriptor));
    builder.setMetadataCollector(statistics());
    builder.setSerializationHeader(SerializationHeader.make(cfs.metadata(), nonExpiredSSTables));
    builder.setKeyCount(format.filterKeys(keys.of(group(), side.sstableBytes()), chance));
    return builder.build(OutputTracker.of(txn), cfs);
  }

  /** Of a whole group; not asked, since an output has a limit of its own. */
  @Override
  protected final long sstableKeyCount() {
    return keys.of(group(), Long.MAX_VALUE);
  }

  @Override
  public final Collection<SSTableReader> finish() {
    List<SSTableReader> outputs = new ArrayList<>(super.finish());
    outputs.addAll(moreOutputs());
    alignment.count(outputs);
    return outputs;
  }
}
