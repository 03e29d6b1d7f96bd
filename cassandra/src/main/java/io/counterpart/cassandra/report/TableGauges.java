package io.counterpart.cassandra.report;

import com.codahale.metrics.Gauge;
import io.counterpart.core.ring.Role;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.metrics.DefaultNameFactory;

/**
 * What {@code counterpart.tables} shows, as gauges in Cassandra's own registry (JMX: {@code
 * org.apache.cassandra.metrics:type=Counterpart,scope=keyspace.table,name=…}), so that the
 * exporters in use pick them up. A gauge of a table that is gone or no longer decoupled reads 0.
 * Thread-safe.
 */
public final class TableGauges {
  private final String keyspace;
  private final String table;

  private TableGauges(String keyspace, String table) {
    this.keyspace = keyspace;
    this.table = table;
  }

  /** Registers a table's gauges; further calls do nothing. */
  public static void register(String keyspace, String table) {
    TableGauges gauges = new TableGauges(keyspace, table);
    gauges.count("PrimaryBytes", report -> report.bytes(Role.PRIMARY));
    gauges.count("WidePrimaryBytes", report -> report.bytes(Role.WIDE_PRIMARY));
    gauges.count("SegmentBytes", report -> report.bytes(Role.SEGMENT));
    gauges.count("RunBytes", report -> report.bytes(Role.RUN));
    gauges.count("MixedBytes", report -> report.bytes(Role.MIXED));
    gauges.count("ForeignBytes", report -> report.bytes(Role.FOREIGN));
    gauges.count("Segments", report -> report.withRole(Role.SEGMENT).size());
    gauges.count("Runs", report -> report.withRole(Role.RUN).size());
    gauges.count("Backlog", TableReport::backlog);
    gauges.ratio("ZeroCopyShare", TableReport::zeroCopyShare);
    gauges.ratio(
        "PrimaryWriteAmplification", report -> report.written().primaryWriteAmplification());
    gauges.ratio(
        "RedundantWriteAmplification", report -> report.written().redundantWriteAmplification());
  }

  private void count(String name, ToLongFunction<TableReport> value) {
    Gauge<Long> gauge =
        () -> DecoupledTable.report(keyspace, table).map(value::applyAsLong).orElse(0L);
    CassandraMetricsRegistry.Metrics.register(metricName(name), gauge);
  }

  private void ratio(String name, ToDoubleFunction<TableReport> value) {
    Gauge<Double> gauge =
        () -> DecoupledTable.report(keyspace, table).map(value::applyAsDouble).orElse(0.0);
    CassandraMetricsRegistry.Metrics.register(metricName(name), gauge);
  }

  private MetricName metricName(String name) {
    return DefaultNameFactory.createMetricName("Counterpart", name, keyspace + "." + table);
  }
}
