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
  /** Bytes of primary copies written by flushes and streams. */
  public final Counter flushedPrimaryBytes;

  /** Bytes of redundant copies written by flushes and streams. */
  public final Counter flushedRedundantBytes;

  /** Bytes written by rewriting segments and mixed sstables into groups. */
  public final Counter splitBytes;

  /** Bytes written by merging sorted runs. */
  public final Counter mergedBytes;

  /** Bytes written by cutting wide primary files at the arcs. */
  public final Counter primaryBatchBytes;

  public TableCounters(ColumnFamilyStore cfs) {
    String scope = cfs.getKeyspaceName() + "." + cfs.getTableName();
    flushedPrimaryBytes = counter(scope, "FlushedPrimaryBytes");
    flushedRedundantBytes = counter(scope, "FlushedRedundantBytes");
    splitBytes = counter(scope, "SplitBytes");
    mergedBytes = counter(scope, "MergedBytes");
    primaryBatchBytes = counter(scope, "PrimaryBatchBytes");
  }

  // the four-part MetricName would quote every part of the JMX name
  private static Counter counter(String scope, String name) {
    return CassandraMetricsRegistry.Metrics.counter(
        DefaultNameFactory.createMetricName("Counterpart", name, scope));
  }
}
