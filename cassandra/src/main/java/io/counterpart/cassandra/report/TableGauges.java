package io.counterpart.cassandra.report;

import com.codahale.metrics.Gauge;
import com.google.common.base.Suppliers;
import io.counterpart.core.ring.Role;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
  /** All gauges of one scrape share a report: it looks at every sstable. */
  private static final long REPORT_MILLIS = 1000;

  private final String scope;
  private final Supplier<Optional<TableReport>> report;

  private TableGauges(String keyspace, String table) {
    this.scope = keyspace + "." + table;
    this.report =
        Suppliers.memoizeWithExpiration(
            () -> DecoupledTable.report(keyspace, table), REPORT_MILLIS, TimeUnit.MILLISECONDS);
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
    gauges.count("RangeGroups", report -> report.groups().size());
    gauges.count("PrimarySstables", report -> report.withRole(Role.PRIMARY).size());
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
    Gauge<Long> gauge = () -> report.get().map(value::applyAsLong).orElse(0L);
    CassandraMetricsRegistry.Metrics.register(metricName(name), gauge);
  }

  private void ratio(String name, ToDoubleFunction<TableReport> value) {
    Gauge<Double> gauge = () -> report.get().map(value::applyAsDouble).orElse(0.0);
    CassandraMetricsRegistry.Metrics.register(metricName(name), gauge);
  }

  private MetricName metricName(String name) {
    return DefaultNameFactory.createMetricName("Counterpart", name, scope);
  }
}
