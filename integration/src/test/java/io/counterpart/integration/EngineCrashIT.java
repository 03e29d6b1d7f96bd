package io.counterpart.integration;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A node whose tables are on engines is killed on the way of data: between two batches of a merge,
 * between a store and what says that it has all, and where data leaves stores or sstables.
 */
@OnSecondCluster(Shape.THREE_NODES)
class EngineCrashIT {
  private static final String KEYSPACE = "engine_crash";
  private static final int ROWS = 250;

  /** Of tables in Redis, more than one of its pages in all; other stores take any at once. */
  private static final int VALUE_BYTES = 3_000;

  private static final int FEW_BYTES = 800;
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String ENGINE = "io.counterpart.cassandra.engine.";
  private static final String STREAMS = "org.apache.cassandra.db.streaming.";

  private enum Work {
    FLUSH,
    /** All stores go to sstables, and some soon back. */
    SNAPSHOT,
    /** All rows come once more from other nodes, whose stores go to sstables for it. */
    REBUILD;

    /** Fails if the node dies meanwhile. */
    void run(Node node) {
      switch (this) {
        case FLUSH -> TestCluster.flush(node, KEYSPACE);
        case SNAPSHOT -> Snapshots.take(node, "died" + System.nanoTime(), KEYSPACE);
        case REBUILD -> rebuild(node);
        default -> throw new IllegalStateException(name());
      }
    }

    private static void rebuild(Node node) {
      try (NodeJmx jmx = node.jmx()) {
        jmx.invoke(
            NodeJmx.STORAGE_SERVICE,
            "rebuild",
            new Object[] {null, KEYSPACE, null, null},
            Collections.nCopies(4, String.class.getName()).toArray(String[]::new));
      }
    }
  }

  /**
   * Where the node dies.
   *
   * @param what was done by then
   * @param type class of which the node enters a method
   * @param most entries until it dies, at random
   */
  private record Death(String what, Work work, String type, String method, int most) {}

  private static final List<Death> DEATHS =
      List.of(
          new Death(
              "some batches are in stores", Work.FLUSH, ENGINE + "store.StoreWriter", "commit", 4),
          new Death("a memtable is merged", Work.FLUSH, ENGINE + "EngineMemtable", "cover", 3),
          // by rank, other copies are not in sstables then
          new Death(
              "stores have their shares", Work.FLUSH, ENGINE + "server.ServerWatch", "took", 4),
          new Death(
              "a spill's sstables are live", Work.SNAPSHOT, ENGINE + "EngineFlush", "drop", 3),
          new Death(
              "a spilled store goes", Work.SNAPSHOT, ENGINE + "store.Generation", "delete", 2),
          // and is still live
          new Death(
              "an sstable is absorbed", Work.SNAPSHOT, ENGINE + "server.ServerWatch", "took", 2),
          new Death(
              "some of a stream is live",
              Work.REBUILD,
              STREAMS + "CassandraStreamReceiver",
              "finished",
              3));

  private final Seed seed = Seed.of(EngineCrashIT.class);

  @Test
  void deaths_on_the_way_of_data_lose_nothing(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    List<AcknowledgedWrites> tables = new ArrayList<>();
    tables.add(rows(cluster, "absorbing", "memtable = 'lmdb_absorbing'"));
    tables.add(rows(cluster, "by_rank", TestCluster.byRank("lmdb_absorbing")));
    for (String engine : EngineServers.SERVERS) {
      tables.add(rows(cluster, "by_rank_" + engine, TestCluster.byRank(engine)));
    }
    for (String engine : EngineServers.CONFIGURATIONS) {
      tables.add(rows(cluster, "on_" + engine, "memtable = '" + engine + "'"));
    }
    Random random = seed.random();
    Node victim = cluster.node(3);
    TestCluster.flushSchema(victim);

    for (Death death : DEATHS) {
      // at ALL: the node that is killed has acknowledged every one, and answers for it alone below
      tables.forEach(AcknowledgedWrites::writeAll);
      tables.forEach(table -> table.deleteSome(random));
      CommitLogMarks.awaitAll(victim);
      die(victim, death, 1 + random.nextInt(death.most()));
      victim.start(StartListener.SILENT);

      for (AcknowledgedWrites table : tables) {
        table.check(victim, DefaultConsistencyLevel.ONE);
        table.check(cluster.node(1), DefaultConsistencyLevel.ALL);
      }
    }

    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private AcknowledgedWrites rows(TestCluster cluster, String name, String with) {
    // deletions are purged as soon as they may be
    return new AcknowledgedWrites(
        cluster,
        KEYSPACE + "." + name,
        with + " AND gc_grace_seconds = 0",
        ROWS,
        with.contains("redis") ? VALUE_BYTES : FEW_BYTES,
        seed);
  }

  private static void die(Node node, Death death, int entries) throws Exception {
    System.out.printf("EngineCrashIT: the node dies when %s (%d)%n", death.what(), entries);
    try (Breakpoint point = Breakpoint.ofNode(node, death.type(), death.method(), entries)) {
      CompletableFuture<Void> work = CompletableFuture.runAsync(() -> death.work().run(node));
      point.awaitKill(SOON);
      // it has lost its node
      work.exceptionally(failure -> null).join();
    }
  }
}
