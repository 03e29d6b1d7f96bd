package io.counterpart.lab.remote.advice;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A node's virtual tables at one moment.
 *
 * @param atNanos of the clock that {@link System#nanoTime} reads
 * @param upSeconds time since the node's start, at least 1
 * @param counters by {@code keyspace.table}
 * @param sstableBytes by the same, whole MiB
 * @param stores by the same: tables whose flushes go to an engine now
 */
record NodeReading(
    long atNanos,
    double upSeconds,
    Map<String, TableCounters> counters,
    Map<String, Long> sstableBytes,
    Map<String, Store> stores) {

  /**
   * A table's engine.
   *
   * @param hitRatio not a number where the engine does not count
   */
  record Store(String engine, long usedBytes, double hitRatio) {}

  /**
   * Reads one.
   *
   * @param nowSeconds since 1970, as the node's clock has it too
   * @param readMicros time of reads by table; without those whose time is unknown
   */
  static NodeReading of(
      CqlSession session, Node node, long nowSeconds, Map<String, Long> readMicros) {
    Reader reader = new Reader(session, node);
    Map<String, Double> reads = reader.column("local_read_latency", row -> row.getLong("count"));
    Map<String, Double> writes = reader.column("local_write_latency", row -> row.getLong("count"));
    Map<String, Double> scans = reader.column("local_scan_latency", row -> row.getLong("count"));
    Map<String, Double> asked =
        reader.column("coordinator_read_latency", row -> row.getLong("count"));
    Map<String, TableCounters> counters = new HashMap<>();
    for (String table : reads.keySet()) {
      counters.put(
          table,
          new TableCounters(
              whole(reads, table),
              whole(writes, table),
              whole(scans, table),
              whole(asked, table),
              readMicros.getOrDefault(table, 0L)));
    }
    Map<String, Long> bytes = new HashMap<>();
    reader
        .column("disk_usage", row -> row.getLong("mebibytes"))
        .forEach((table, mebibytes) -> bytes.put(table, mebibytes.longValue() << 20));
    return new NodeReading(
        System.nanoTime(), reader.upSeconds(nowSeconds), counters, bytes, reader.stores());
  }

  private static long whole(Map<String, Double> values, String table) {
    return values.getOrDefault(table, 0.0).longValue();
  }

  private record Reader(CqlSession session, Node node) {

    /** A column of a virtual table, by {@code keyspace.table}; counts are exact up to 2^53. */
    Map<String, Double> column(String table, ToDoubleFunction<Row> value) {
      Map<String, Double> column = new HashMap<>();
      for (Row row : rows("SELECT * FROM system_views." + table)) {
        column.put(name(row), value.applyAsDouble(row));
      }
      return column;
    }

    /** A node's generation in gossip is the second of its start. */
    double upSeconds(long nowSeconds) {
      List<Row> rows = rows("SELECT gossip_generation FROM system.local");
      return rows.isEmpty() ? 1 : Math.max(1, nowSeconds - rows.get(0).getInt(0));
    }

    Map<String, Store> stores() {
      Map<String, Store> stores = new HashMap<>();
      try {
        for (Row row : rows("SELECT * FROM counterpart.engines")) {
          // other rows are of engines that the table is leaving
          if (String.valueOf(row.getString("state")).startsWith("absorbing")) {
            stores.put(
                name(row),
                new Store(
                    String.valueOf(row.getString("engine")),
                    row.getLong("used_bytes"),
                    row.isNull("hit_ratio") ? Double.NaN : row.getDouble("hit_ratio")));
          }
        }
      } catch (InvalidQueryException noEngines) {
        // no table of the node is on one
      }
      return stores;
    }

    private List<Row> rows(String query) {
      return session.execute(SimpleStatement.newInstance(query).setNode(node)).all();
    }

    private static String name(Row row) {
      return row.getString("keyspace_name") + "." + row.getString("table_name");
    }
  }
}
