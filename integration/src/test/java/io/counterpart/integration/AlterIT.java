package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A table goes to and fro between decoupled and stock strategies while it is written. */
@OnCluster(Shape.THREE_NODES)
class AlterIT {
  private static final String KEYSPACE = "altered";
  private static final String TABLE = "t";
  private static final int ROWS = 3000;

  private static final String LCS =
      "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 1}";
  private static final String UCS = "{'class': 'UnifiedCompactionStrategy'}";
  private static final String STCS = "{'class': 'SizeTieredCompactionStrategy'}";
  private static final String DECOUPLED = TestCluster.decoupled(Map.of("runs", "2"));
  private static final String DECOUPLED_LCS =
      TestCluster.decoupled(Map.of("runs", "2", "primary", "lcs", "split", "flush"));
  private static final String MLSM = TestCluster.decoupled(Map.of("mode", "mlsm"));

  private final Seed seed = Seed.of(AlterIT.class);

  @Test
  void survives_every_change_of_strategy_under_load(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster, KEYSPACE + "." + TABLE, "compaction = " + UCS, ROWS, 400, seed);
    rows.writeAll();
    cluster.flush(KEYSPACE);

    rows.start(cluster.live());
    try {
      for (String next :
          List.of(
              DECOUPLED,
              LCS,
              DECOUPLED,
              STCS,
              DECOUPLED,
              UCS,
              MLSM,
              DECOUPLED_LCS,
              LCS,
              MLSM,
              DECOUPLED)) {
        change(cluster, rows, next);
      }
    } finally {
      rows.stop();
    }
    cluster.flush(KEYSPACE);
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0 && state.runs() > 0);
    assertThat(cluster.counter(KEYSPACE, TABLE, "SplitBytes")).isPositive();
    rows.checkEverywhere();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void a_table_dropped_and_made_again_counts_from_zero(TestCluster cluster) {
    cluster.createKeyspace("again", "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    String create =
        "CREATE TABLE again.t (k int PRIMARY KEY, v int) WITH compaction = " + DECOUPLED;
    cluster.execute(create);
    for (int k = 0; k < 50; k++) {
      cluster.execute("INSERT INTO again.t (k, v) VALUES (%d, 1)".formatted(k));
    }
    cluster.flush("again");
    assertThat(cluster.counter("again", "t", "FlushedPrimaryBytes")).isPositive();

    cluster.execute("DROP TABLE again.t");
    for (Node node : cluster.live()) {
      try (NodeJmx jmx = node.jmx()) {
        for (String metric : List.of("FlushedPrimaryBytes", "CompactedBeforeBytes", "Backlog")) {
          String bean =
              "org.apache.cassandra.metrics:type=Counterpart,scope=again.t,name=" + metric;
          await().atMost(Duration.ofSeconds(60)).until(() -> !jmx.has(bean));
        }
      }
    }

    cluster.execute(create);
    assertThat(cluster.counter("again", "t", "FlushedPrimaryBytes")).isZero();
    cluster.execute("DROP KEYSPACE again");
  }

  private static void change(TestCluster cluster, AcknowledgedWrites rows, String compaction) {
    long before = rows.count();
    cluster.execute("ALTER TABLE altered.t WITH compaction = " + compaction);
    await().atMost(Duration.ofSeconds(120)).until(() -> rows.count() > before + 200);
    cluster.flush(KEYSPACE);
    if (compaction.contains("counterpart")) {
      cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0);
    }
    rows.check(cluster.node(1), DefaultConsistencyLevel.QUORUM);
  }
}
