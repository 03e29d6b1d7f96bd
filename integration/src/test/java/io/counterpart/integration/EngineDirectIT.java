package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.ENGINE;
import static io.counterpart.integration.EngineRows.KEYSPACE;
import static io.counterpart.integration.EngineRows.ROWS;
import static io.counterpart.integration.EngineRows.TABLE;
import static io.counterpart.integration.EngineRows.assertFound;
import static io.counterpart.integration.EngineRows.assertRows;
import static io.counterpart.integration.EngineRows.engine;
import static io.counterpart.integration.EngineRows.fill;
import static io.counterpart.integration.EngineRows.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes that reach the store before they are acknowledged. */
@OnCluster(Shape.THREE_NODES)
class EngineDirectIT {
  private static final String DIRECT = " WITH memtable = '" + EngineServers.DIRECT + "'";

  @BeforeEach
  void create(TestCluster cluster) {
    EngineRows.create(cluster);
  }

  @Test
  void a_table_may_go_between_buffered_and_direct_writes(TestCluster cluster) throws Exception {
    Set<String> rows = fill(cluster, 0, "buffered");
    assertThat(engine(cluster).getString("mode")).isEqualTo("buffered");

    cluster.execute("ALTER TABLE " + TABLE + DIRECT + " AND gc_grace_seconds = 0");
    rows.addAll(fill(cluster, 100, "direct"));
    Row report = engine(cluster);
    assertThat(report.getString("mode")).isEqualTo("direct");
    assertThat(report.getLong("partitions")).as("before a flush").isPositive();
    cluster.execute("DELETE FROM " + TABLE + " WHERE pk = 0");
    rows.removeIf(row -> row.startsWith("0/"));
    cluster.flush(KEYSPACE);
    // the deletion may be purged by this
    cluster.execute("INSERT INTO " + TABLE + " (pk, ck, v) VALUES (0, 9, 'new')");
    rows.add("0/9=new");
    assertRows(cluster, rows);
    cluster.kill(cluster.node(2));
    cluster.node(2).start(StartListener.SILENT);
    assertRows(cluster, rows);

    cluster.execute("CREATE INDEX by_v ON " + TABLE + " (v)");
    rows.addAll(fill(cluster, 200, "indexed"));
    assertFound(cluster, "direct", ROWS);
    assertFound(cluster, "indexed", ROWS);
    assertThat(engine(cluster).getString("mode")).isEqualTo("buffered: the table has an index");
    cluster.execute("DROP INDEX " + KEYSPACE + ".by_v");
    rows.addAll(fill(cluster, 300, "again"));
    cluster.execute("ALTER TABLE " + TABLE + ENGINE);
    rows.addAll(fill(cluster, 400, "last"));
    cluster.kill(cluster.node(1));
    cluster.node(1).start(StartListener.SILENT);

    assertRows(cluster, rows);
  }

  /** One copy of each row, so that every acknowledgement is that of the one node that has it. */
  @Test
  void direct_writes_are_in_the_store_when_they_are_acknowledged(TestCluster cluster)
      throws Exception {
    String keyspace = KEYSPACE + "_one_copy";
    cluster.createKeyspace(keyspace, "{'class': 'NetworkTopologyStrategy', 'dc1': 1}");
    AcknowledgedWrites writes =
        new AcknowledgedWrites(
            cluster,
            keyspace + ".t",
            "memtable = '%s'".formatted(EngineServers.DIRECT),
            500,
            300,
            Seed.of(EngineDirectIT.class));
    writes.writeAll();
    Node killed = cluster.node(2);
    // all that the commit log has of other tables
    killed.nodetool("flush");
    long before = writes.count();
    writes.start(List.of(cluster.node(1), cluster.node(3)));
    await().atMost(Duration.ofSeconds(60)).until(() -> writes.count() > before + 1000);

    cluster.kill(killed);
    writes.stop();
    DataFiles.deleteCommitLog(killed);
    killed.start(StartListener.SILENT);

    await()
        .atMost(Duration.ofSeconds(60))
        // until the others see it; their old connections to it drop some
        .ignoreExceptionsMatching(DriverException.class::isInstance)
        .untilAsserted(writes::checkEverywhere);
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsMatching(DriverException.class::isInstance)
        .untilAsserted(writes::writeAll);
    writes.checkEverywhere();
    cluster.execute("DROP KEYSPACE " + keyspace);
  }

  /** Writes go on meanwhile: what a truncation has taken does not come back with a replay. */
  @Test
  void truncate_beside_direct_writes_and_a_kill_give_the_same_rows(TestCluster cluster)
      throws Exception {
    cluster.execute("ALTER TABLE " + TABLE + DIRECT);
    Set<String> before = fill(cluster, 0, "before");
    Set<String> after = new TreeSet<>();
    AtomicBoolean truncated = new AtomicBoolean();
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int from = 1000; !stop.get(); from += ROWS) {
                boolean isAfter = truncated.get();
                Set<String> filled = fill(cluster, from, "v" + from);
                if (isAfter) {
                  after.addAll(filled);
                }
              }
            });
    for (int i = 0; i < 3; i++) {
      cluster.execute("TRUNCATE " + TABLE);
    }
    truncated.set(true);
    await().atMost(Duration.ofSeconds(60)).until(() -> rows(cluster, cluster.node(1)).size() > 300);
    stop.set(true);
    writer.join();
    Node node = cluster.node(1);
    Set<String> there = rows(cluster, node);
    assertThat(there).containsAll(after).doesNotContainAnyElementsOf(before);

    cluster.kill(node);
    node.start(StartListener.SILENT);

    assertThat(rows(cluster, node)).isEqualTo(there);
  }
}
