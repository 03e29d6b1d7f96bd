package io.counterpart.cassandra.engine.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;

/** Updates that are committed together. */
final class PartitionUpdates {

  private PartitionUpdates() {}

  /**
   * One for each partition, in the order of tokens: a store commits twice for a partition twice.
   */
  static List<Partition> byPartition(List<PartitionUpdate> updates) {
    NavigableMap<PartitionPosition, List<PartitionUpdate>> partitions = new TreeMap<>();
    for (PartitionUpdate update : updates) {
      partitions.computeIfAbsent(update.partitionKey(), key -> new ArrayList<>(1)).add(update);
    }
    return partitions.values().stream().map(PartitionUpdates::merged).toList();
  }

  /** Not by PartitionUpdate.merge, which leaves out columns that only later updates know. */
  private static Partition merged(List<PartitionUpdate> updates) {
    if (updates.size() == 1) {
      return updates.get(0);
    }
    List<UnfilteredRowIterator> parts =
        updates.stream().map(PartitionUpdate::unfilteredIterator).toList();
    try (UnfilteredRowIterator all = UnfilteredRowIterators.merge(parts)) {
      return ImmutableBTreePartition.create(all);
    }
  }
}
