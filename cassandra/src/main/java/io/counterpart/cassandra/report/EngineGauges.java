package io.counterpart.cassandra.report;

import com.codahale.metrics.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.metrics.DefaultNameFactory;

/**
 * The gauge {@code EngineBytes} of each table on a storage engine, in Cassandra's own registry
 * (JMX: {@code
 * org.apache.cassandra.metrics:type=Counterpart,scope=keyspace.table,name=EngineBytes}): bytes of
 * its entries in stores, 0 if these are empty. Cassandra's {@code LiveDiskSpaceUsed} leaves them
 * out. Thread-safe.
 */
public final class EngineGauges {
  /** The node's, as its registry of metrics. */
  public static final EngineGauges NODE = new EngineGauges();

  /** By scope; two of a table while it goes from one engine to another. */
  private final Map<String, List<LongSupplier>> sources = new ConcurrentHashMap<>();

  EngineGauges() {}

  /**
   * Counts stores of a table from now on.
   *
   * @param bytes answers without waiting for a server
   */
  public synchronized void add(String keyspace, String table, LongSupplier bytes) {
    String scope = scope(keyspace, table);
    List<LongSupplier> present = new ArrayList<>(sources.getOrDefault(scope, List.of()));
    present.add(bytes);
    sources.put(scope, List.copyOf(present));
    if (present.size() == 1) {
      Gauge<Long> gauge = () -> sum(scope);
      CassandraMetricsRegistry.Metrics.register(name(scope), gauge);
    }
  }

  /** Takes {@link #add} back; with the table's last stores the gauge is removed. */
  public synchronized void remove(String keyspace, String table, LongSupplier bytes) {
    String scope = scope(keyspace, table);
    List<LongSupplier> left = new ArrayList<>(sources.getOrDefault(scope, List.of()));
    if (left.remove(bytes) && left.isEmpty()) {
      sources.remove(scope);
      CassandraMetricsRegistry.Metrics.remove(name(scope));
    } else if (!left.isEmpty()) {
      sources.put(scope, List.copyOf(left));
    }
  }

  private long sum(String scope) {
    return sources.getOrDefault(scope, List.of()).stream().mapToLong(LongSupplier::getAsLong).sum();
  }

  private static String scope(String keyspace, String table) {
    return keyspace + "." + table;
  }

  private static MetricName name(String scope) {
    return DefaultNameFactory.createMetricName("Counterpart", "EngineBytes", scope);
  }
}
