package io.counterpart.cassandra.report;

import com.codahale.metrics.Counter;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;

/**
 * A table's byte counters in Cassandra's own registry (JMX: {@code
 * org.apache.cassandra.metrics:type=Counterpart,scope=keyspace.table,name=…}). They live as long as
 * the table is decoupled, across strategy instances. After a drop, a new table of the same name
 * starts at 0. Thread-safe.
 */
public final class TableCounters {
  private static final String FLUSHED_PRIMARY = "FlushedPrimaryBytes";
  private static final String FLUSHED_REDUNDANT = "FlushedRedundantBytes";
  private static final String SPLIT = "SplitBytes";
  private static final String MERGED = "MergedBytes";
  private static final String PRIMARY_BATCH = "PrimaryBatchBytes";
  private static final String BEFORE = "CompactedBeforeBytes";

  /** Bytes of primary copies written by flushes and streams. */
  public final Counter flushedPrimaryBytes;

  /** Bytes of redundant copies written by flushes and streams. */
  public final Counter flushedRedundantBytes;

  /** Bytes of redundant copies written by rewriting segments and mixed sstables into groups. */
  public final Counter splitBytes;

  /** Bytes of redundant copies written by merging sorted runs. */
  public final Counter mergedBytes;

  /** Bytes of primary copies written outside the tree: batches above all. */
  public final Counter primaryBatchBytes;

  /** Bytes that compactions of an earlier strategy had written when this one came. */
  public final Counter compactedBeforeBytes;

  public TableCounters(ColumnFamilyStore cfs) {
    // a table that is being opened has no metrics yet, and has compacted nothing
    this(
        cfs.getKeyspaceName(),
        cfs.getTableName(),
        cfs.metric == null ? 0 : cfs.metric.compactionBytesWritten.getCount());
  }

  /**
   * Finds a table's counters, or makes them.
   *
   * @param compactedBytes what compactions of the table have written up to now
   */
  public TableCounters(String keyspace, String table, long compactedBytes) {
    String scope = keyspace + "." + table;
    flushedPrimaryBytes = counter(scope, FLUSHED_PRIMARY);
    flushedRedundantBytes = counter(scope, FLUSHED_REDUNDANT);
    splitBytes = counter(scope, SPLIT);
    mergedBytes = counter(scope, MERGED);
    primaryBatchBytes = counter(scope, PRIMARY_BATCH);
    String baseline = metricName(scope, BEFORE).getMetricName();
    boolean first = !CassandraMetricsRegistry.Metrics.getNames().contains(baseline);
    compactedBeforeBytes = counter(scope, BEFORE);
    if (first) {
      compactedBeforeBytes.inc(compactedBytes);
    }
  }

  /** Removes a table's counters, if there are any. */
  public static void remove(String keyspace, String table) {
    for (String name :
        List.of(FLUSHED_PRIMARY, FLUSHED_REDUNDANT, SPLIT, MERGED, PRIMARY_BATCH, BEFORE)) {
      CassandraMetricsRegistry.Metrics.remove(metricName(keyspace + "." + table, name));
    }
  }

  // the four-part MetricName would quote every part of the JMX name
  private static Counter counter(String scope, String name) {
    return CassandraMetricsRegistry.Metrics.counter(metricName(scope, name));
  }

  private static CassandraMetricsRegistry.MetricName metricName(String scope, String name) {
    return DefaultNameFactory.createMetricName("Counterpart", name, scope);
  }
}
