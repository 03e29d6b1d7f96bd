package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A read that has found an sstable and not yet asked the store, while the sstable is absorbed and
 * the deletion of its row is due to be purged.
 */
@OnSecondCluster(Shape.THREE_NODES)
class PurgeBesideReadIT {
  private static final String TABLE = "deleted";
  private static final String READS = "io.counterpart.cassandra.engine.EngineMemtable";
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Limits of a read, and of all that a client asks for, in ms. */
  private static final Map<String, Long> USUAL_LIMITS =
      Map.of("ReadRpcTimeout", 10_000L, "NativeTransportTimeoutMillis", 12_000L);

  private static final Map<String, Long> LONG_LIMITS =
      Map.of("ReadRpcTimeout", 100_000L, "NativeTransportTimeoutMillis", 100_000L);

  @Test
  void a_read_does_not_miss_a_deletion_whose_row_it_has_found(TestCluster cluster)
      throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    String name = KEYSPACE + "." + TABLE;
    String select = "SELECT ck FROM " + name + " WHERE pk = 1";
    // else another replica answers a read that is held for five seconds
    cluster.execute(
        ("CREATE TABLE %s (pk int, ck int, PRIMARY KEY (pk, ck)) WITH gc_grace_seconds = 0"
                + " AND speculative_retry = 'NEVER'")
            .formatted(name));
    // nothing is absorbed before the read has begun, however long the changes of the schema take
    cluster.stopCompaction(KEYSPACE, TABLE);
    cluster.execute("INSERT INTO %s (pk, ck) VALUES (1, 1) USING TIMESTAMP 10".formatted(name));
    TestCluster.flush(node, KEYSPACE, TABLE);
    cluster.execute("ALTER TABLE %s WITH memtable = 'direct_absorbing'".formatted(name));
    cluster.execute("DELETE FROM %s USING TIMESTAMP 20 WHERE pk = 1".formatted(name));
    // no replay needs the deletion any more
    TestCluster.flush(node, KEYSPACE, TABLE);
    assertThat(cluster.engine(node, KEYSPACE, TABLE).getInt("sstables")).isEqualTo(1);

    limit(node, LONG_LIMITS);
    CompletableFuture<List<Row>> read;
    try (Breakpoint point = Breakpoint.ofThread(node, READS, "rowIterator")) {
      read = CompletableFuture.supplyAsync(() -> cluster.query(node, ConsistencyLevel.ONE, select));
      point.awaitStop(SOON);
      await()
          .atMost(SOON)
          .until(
              () -> {
                cluster.startCompaction(KEYSPACE, TABLE);
                return cluster.engine(node, KEYSPACE, TABLE).getInt("sstables") == 0;
              });
      for (int ck = 2; ck < 4; ck++) {
        cluster.execute(
            "INSERT INTO %s (pk, ck) VALUES (1, %d) USING TIMESTAMP %d"
                .formatted(name, ck, 10 * (ck + 1)));
      }
      assertThat(read).isNotDone();
    } finally {
      limit(node, USUAL_LIMITS);
    }

    assertThat(read.get()).extracting(row -> row.getInt("ck")).doesNotContain(1);
    assertThat(cluster.query(node, ConsistencyLevel.ONE, select))
        .extracting(row -> row.getInt("ck"))
        .containsExactly(2, 3);
  }

  /** A read that is held on a busy machine may be held for longer than the usual limits. */
  private static void limit(Node node, Map<String, Long> millis) {
    try (NodeJmx jmx = node.jmx()) {
      millis.forEach((limit, value) -> jmx.setAttribute(NodeJmx.STORAGE_SERVICE, limit, value));
    }
  }
}
