package io.counterpart.cassandra.writer;

import java.util.Collection;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleNewTracker;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.TimeUUID;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of Cassandra's request for a flush or stream writer, kept together to open several
 * sstables from them.
 *
 * @param descriptor name of the first output; the others get names of their own in its directory
 * @param keyCount estimated number of partitions in all outputs together; of a stream its even
 *     share for one data directory
 * @param commitLogPositions null where this is no flush
 */
public record WriterSpec(
    ColumnFamilyStore cfs,
    Descriptor descriptor,
    long keyCount,
    long repairedAt,
    @Nullable TimeUUID pendingRepair,
    boolean isTransient,
    @Nullable IntervalSet<CommitLogPosition> commitLogPositions,
    int sstableLevel,
    SerializationHeader header,
    Collection<Index.Group> indexGroups,
    LifecycleNewTracker tracker) {

  /** Streams look the same but for this, and cover less of the ring. */
  boolean isFlush() {
    return tracker.opType() == OperationType.FLUSH;
  }

  SSTableWriter open(boolean first, long keys) {
    Descriptor target = first ? descriptor : cfs.newSSTableDescriptor(descriptor.directory);
    MetadataCollector collector =
        new LeanMetadataCollector(
                cfs.metadata().comparator, StorageService.instance.getLocalHostUUID())
            .commitLogIntervals(
                commitLogPositions != null ? commitLogPositions : IntervalSet.empty())
            .sstableLevel(sstableLevel);
    return target
        .getFormat()
        .getWriterFactory()
        .builder(target)
        .setKeyCount(keys)
        .setRepairedAt(repairedAt)
        .setPendingRepair(pendingRepair)
        .setTransientSSTable(isTransient)
        .setTableMetadataRef(cfs.metadata)
        .setMetadataCollector(collector)
        .setSerializationHeader(header)
        .addDefaultComponents(indexGroups)
        .setSecondaryIndexGroups(indexGroups)
        .build(tracker, cfs);
  }
}
