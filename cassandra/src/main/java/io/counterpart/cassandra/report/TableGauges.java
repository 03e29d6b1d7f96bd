package io.counterpart.cassandra.report;

import com.codahale.metrics.Gauge;
import com.google.common.base.Suppliers;
import io.counterpart.core.ring.Role;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.metrics.DefaultNameFactory;

/**
 * The columns of {@code counterpart.tables} as gauges in Cassandra's own registry (JMX: {@code
 * org.apache.cassandra.metrics:type=Counterpart,scope=keyspace.table,name=…}), so that existing
 * exporters pick them up. They are removed with the table, or when it is no longer decoupled.
 * Thread-safe.
 */
public final class TableGauges {
  /** All gauges of one scrape share a report: it looks at every sstable. */
  private static final long REPORT_MILLIS = 1000;

  private static final Map<String, ToLongFunction<TableReport>> COUNTS =
      Map.ofEntries(
          Map.entry("PrimaryBytes", report -> report.bytes(Role.PRIMARY)),
          Map.entry("WidePrimaryBytes", report -> report.bytes(Role.WIDE_PRIMARY)),
          Map.entry("SegmentBytes", report -> report.bytes(Role.SEGMENT)),
          Map.entry("RunBytes", report -> report.bytes(Role.RUN)),
          Map.entry("MixedBytes", report -> report.bytes(Role.MIXED)),
          Map.entry("ForeignBytes", report -> report.bytes(Role.FOREIGN)),
          Map.entry("RangeGroups", report -> report.groups().size()),
          Map.entry("PrimarySstables", report -> report.withRole(Role.PRIMARY).size()),
          Map.entry("Segments", report -> report.withRole(Role.SEGMENT).size()),
          Map.entry("OtherFormatSstables", TableReport::otherFormatSstables),
          Map.entry("Runs", report -> report.withRole(Role.RUN).size()),
          Map.entry("Backlog", TableReport::backlog));

  private static final Map<String, ToDoubleFunction<TableReport>> RATIOS =
      Map.of(
          "ZeroCopyShare",
          TableReport::zeroCopyShare,
          "PrimaryWriteAmplification",
          report -> report.written().primaryWriteAmplification(),
          "RedundantWriteAmplification",
          report -> report.written().redundantWriteAmplification());

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
    COUNTS.forEach((name, value) -> gauges.register(name, value::applyAsLong, 0L));
    RATIOS.forEach((name, value) -> gauges.register(name, value::applyAsDouble, 0.0));
  }

  /** Removes a table's gauges, if there are any. */
  public static void remove(String keyspace, String table) {
    TableGauges gauges = new TableGauges(keyspace, table);
    COUNTS.keySet().forEach(gauges::remove);
    RATIOS.keySet().forEach(gauges::remove);
  }

  private <T> void register(String name, Function<TableReport, T> value, T none) {
    Gauge<T> gauge = () -> report.get().map(value).orElse(none);
    CassandraMetricsRegistry.Metrics.register(metricName(name), gauge);
  }

  private void remove(String name) {
    CassandraMetricsRegistry.Metrics.remove(metricName(name));
  }

  private MetricName metricName(String name) {
    return DefaultNameFactory.createMetricName("Counterpart", name, scope);
  }
}
