package io.counterpart.cassandra.compaction;

import java.util.Collection;
import java.util.function.DoubleSupplier;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.metrics.RestorableMeter;

/**
 * Read and write rates of a range group: reads from Cassandra's own meter on each sstable (15
 * minutes' average), writes as the group's even share of the table's.
 */
final class GroupRates {
  private final DoubleSupplier tableWritesPerSecond;

  GroupRates(DoubleSupplier tableWritesPerSecond) {
    this.tableWritesPerSecond = tableWritesPerSecond;
  }

  double readsPerSecond(Collection<SSTableReader> runs) {
    double sum = 0;
    for (SSTableReader run : runs) {
      RestorableMeter meter = run.getReadMeter();
      sum += meter == null ? 0 : meter.fifteenMinuteRate();
    }
    return sum;
  }

  double writesPerSecond(int ownedGroups) {
    return tableWritesPerSecond.getAsDouble() / Math.max(1, ownedGroups);
  }
}
