package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A node whose tables are on engines is killed at random moments of a flush. Stores are merged into
 * in batches, so kills fall between the steps; one that came too late is repeated.
 */
@OnSecondCluster(Shape.THREE_NODES)
class EngineCrashIT {
  private static final String KEYSPACE = "engine_crash";
  private static final int KILLS = 2;
  private static final int ATTEMPTS = 4;
  private static final int ROWS = 1_000;
  private static final int VALUE_BYTES = 1_500;

  /** Within which a flush of all tables is expected to be under way. */
  private static final int SPREAD_MILLIS = 250;

  private final Seed seed = Seed.of(EngineCrashIT.class);

  @Test
  void kills_in_flushes_lose_nothing(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    List<AcknowledgedWrites> tables = new ArrayList<>();
    tables.add(rows(cluster, "absorbing", "memtable = 'lmdb_absorbing'"));
    tables.add(rows(cluster, "by_rank", TestCluster.byRank("lmdb_absorbing")));
    for (String engine : EngineServers.CONFIGURATIONS) {
      tables.add(rows(cluster, "on_" + engine, "memtable = '" + engine + "'"));
    }
    Random random = seed.random();
    Node victim = cluster.node(3);

    int inFlush = 0;
    for (int attempt = 0; inFlush < KILLS && attempt < ATTEMPTS; attempt++) {
      // at ALL: the node that is killed has acknowledged every one, and answers for it alone below
      tables.forEach(AcknowledgedWrites::writeAll);
      tables.forEach(table -> table.deleteSome(random));
      TestCluster.awaitMark();
      inFlush += killInFlush(victim, random.nextInt(SPREAD_MILLIS)) ? 1 : 0;
      victim.start(StartListener.SILENT);

      tables.forEach(AcknowledgedWrites::checkEverywhere);
    }

    assertThat(inFlush).as("kills during a flush, %s", seed).isPositive();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private AcknowledgedWrites rows(TestCluster cluster, String name, String with) {
    // deletions are purged as soon as they may be
    return new AcknowledgedWrites(
        cluster,
        KEYSPACE + "." + name,
        with + " AND gc_grace_seconds = 0",
        ROWS,
        VALUE_BYTES,
        seed);
  }

  /** Returns whether the flush was under way when the node died. */
  private static boolean killInFlush(Node node, int millis) throws InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, connected));
    connected.await();
    Thread.sleep(millis);
    boolean isUnderWay = !flush.isDone();
    node.kill();
    return isUnderWay;
  }

  /** Fails if the node dies meanwhile, or before the connection is closed. */
  private static void flush(Node node, CountDownLatch connected) {
    try (NodeJmx jmx = node.jmx()) {
      connected.countDown();
      jmx.invoke(
          NodeJmx.STORAGE_SERVICE,
          "forceKeyspaceFlush",
          new Object[] {KEYSPACE, new String[0]},
          new String[] {String.class.getName(), String[].class.getName()});
    } finally {
      connected.countDown();
    }
  }
}
