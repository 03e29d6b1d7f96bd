package io.counterpart.cassandra.compaction;

import com.codahale.metrics.Counter;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;

/**
 * A table's byte counters in Cassandra's own registry (JMX: {@code
 * org.apache.cassandra.metrics:type=Counterpart,scope=keyspace.table,name=…}). They live as long as
 * the server, across strategy instances. Thread-safe.
 */
public final class TableCounters {
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
    String scope = cfs.getKeyspaceName() + "." + cfs.getTableName();
    flushedPrimaryBytes = counter(scope, "FlushedPrimaryBytes");
    flushedRedundantBytes = counter(scope, "FlushedRedundantBytes");
    splitBytes = counter(scope, "SplitBytes");
    mergedBytes = counter(scope, "MergedBytes");
    primaryBatchBytes = counter(scope, "PrimaryBatchBytes");
    boolean first = !CassandraMetricsRegistry.Metrics.getNames().contains(name(scope, BEFORE));
    compactedBeforeBytes = counter(scope, BEFORE);
    // a table that is being opened has no metrics yet, and has compacted nothing
    if (first && cfs.metric != null) {
      compactedBeforeBytes.inc(cfs.metric.compactionBytesWritten.getCount());
    }
  }

  // the four-part MetricName would quote every part of the JMX name
  private static Counter counter(String scope, String name) {
    return CassandraMetricsRegistry.Metrics.counter(metricName(scope, name));
  }

  private static String name(String scope, String name) {
    return metricName(scope, name).getMetricName();
  }

  private static CassandraMetricsRegistry.MetricName metricName(String scope, String name) {
    return DefaultNameFactory.createMetricName("Counterpart", name, scope);
  }
}
