package io.counterpart.lab.remote.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.engine.advice.Load;
import io.counterpart.core.engine.advice.Storage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadReadingTest {
  private static final String TABLE = "app.t";
  private static final long MIB = 1 << 20;

  private static NodeReading end(
      Map<String, Long> sstables, Map<String, NodeReading.Store> stores) {
    return new NodeReading(0, 100, Map.of(), sstables, stores);
  }

  private static WorkloadReading.NodeWindow window(
      double seconds, TableCounters counters, NodeReading end) {
    return new WorkloadReading.NodeWindow(seconds, Map.of(TABLE, counters), end);
  }

  private static NodeReading.Store store(String engine, long bytes) {
    return new NodeReading.Store(engine, bytes, Double.NaN);
  }

  @Test
  void a_node_that_started_anew_counts_from_zero() {
    TableCounters before = new TableCounters(100, 200, 5, 50, 5_000);

    assertThat(new TableCounters(130, 260, 6, 65, 7_000).since(before))
        .isEqualTo(new TableCounters(30, 60, 1, 15, 2_000));
    assertThat(new TableCounters(30, 260, 6, 65, 7_000).since(before))
        .isEqualTo(new TableCounters(30, 260, 6, 65, 7_000));
    assertThat(new TableCounters(130, 260, 6, 65, 0).since(before).readMicros())
        .as("unknown at the end")
        .isZero();
    assertThat(
            new TableCounters(130, 260, 6, 65, 7_000)
                .since(new TableCounters(100, 200, 5, 50, 0))
                .readMicros())
        .as("unknown at the beginning")
        .isZero();
  }

  @Test
  void rates_of_nodes_add_up_and_reads_of_unknown_time_do_not_count_for_the_mean() {
    WorkloadReading reading =
        new WorkloadReading(
            List.of(
                window(10, new TableCounters(300, 100, 0, 400, 30_000), end(Map.of(), Map.of())),
                window(20, new TableCounters(100, 200, 40, 0, 0), end(Map.of(), Map.of()))));

    Load load = reading.load(TABLE);

    assertThat(load.reads()).isEqualTo(35);
    assertThat(load.writes()).isEqualTo(20);
    assertThat(load.scans()).isEqualTo(2);
    assertThat(load.clientReads()).isEqualTo(40);
    assertThat(load.operations()).isEqualTo(740);
    assertThat(load.readMillis()).isEqualTo(0.1);
    assertThat(reading.load("app.other").readMillis()).isNaN();
    assertThat(reading.knows("app.other")).isFalse();
  }

  @Test
  void storage_is_what_all_nodes_have_or_differs_by_node() {
    NodeReading sstables = end(Map.of(TABLE, 7 * MIB), Map.of());
    NodeReading lmdb = end(Map.of(TABLE, MIB), Map.of(TABLE, store("lmdb", 9 * MIB)));
    NodeReading redis = end(Map.of(), Map.of(TABLE, store("redis", 1)));

    assertThat(of(sstables, sstables).storage(TABLE, false)).isEqualTo(Storage.SSTABLES);
    assertThat(of(sstables, sstables).storage(TABLE, true)).isEqualTo(Storage.DECOUPLED);
    assertThat(of(lmdb, lmdb).storage(TABLE, true)).isEqualTo(Storage.LMDB);
    assertThat(of(redis, redis).storage(TABLE, false)).isEqualTo(Storage.SERVER);
    assertThat(of(sstables, lmdb).storage(TABLE, false)).isEqualTo(Storage.BY_NODE);
    assertThat(of(sstables, lmdb).nodeBytes(TABLE)).isEqualTo(10 * MIB);
  }

  private static WorkloadReading of(NodeReading... ends) {
    return new WorkloadReading(
        List.of(ends).stream().map(end -> window(1, TableCounters.NONE, end)).toList());
  }
}
