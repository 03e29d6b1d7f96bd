package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node is killed while it flushes, splits or merges, under continuous writes. The table's options
 * allow one kind of rewrite only, so that Cassandra's own transaction log on disk proves which
 * rewrite was under way; a kill that came too late is repeated.
 */
@OnCluster(Shape.THREE_NODES)
class CrashIT {
  private static final String KEYSPACE = "crash";
  private static final int ATTEMPTS = 6;
  private static final int ROWS = 4000;
  private static final int VALUE_BYTES = 500;

  /** Primary copies stay as they were flushed. */
  private static final Map<String, String> NO_PRIMARY_WORK =
      Map.of("primary_batch", "256", "split_idle", "86400");

  private final Seed seed = Seed.of(CrashIT.class);

  @BeforeEach
  void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
  }

  @AfterEach
  void drop(TestCluster cluster) {
    cluster.live().forEach(node -> setThroughput(node, 0));
    // one by one: while a node has hints, Cassandra may fail to drop a keyspace of several tables
    tables(cluster).forEach(table -> cluster.execute("DROP TABLE " + KEYSPACE + "." + table));
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static List<String> tables(TestCluster cluster) {
    return cluster
        .query(
            cluster.live().get(0),
            DefaultConsistencyLevel.ONE,
            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'crash'")
        .stream()
        .map(row -> row.getString("table_name"))
        .toList();
  }

  @Test
  void loses_nothing_when_killed_during_a_flush(TestCluster cluster) throws Exception {
    crash(cluster, "flush", Map.of("flushed", OwnFormat.table(Map.of())));
  }

  @Test
  void loses_nothing_when_killed_during_a_split(TestCluster cluster) throws Exception {
    Map<String, String> options =
        withoutPrimaryWork(Map.of("split", "background", "runs", "unlimited"));
    crash(
        cluster,
        "compaction",
        Map.of("split", plain(options), "split_formats", OwnFormat.table(options)));
  }

  @Test
  void loses_nothing_when_killed_during_a_merge(TestCluster cluster) throws Exception {
    Map<String, String> options =
        withoutPrimaryWork(Map.of("split", "flush", "runs", "1", "run_policy", "merge_all"));
    crash(
        cluster,
        "compaction",
        Map.of("merged", plain(options), "merged_formats", OwnFormat.table(options)));
  }

  private static Map<String, String> withoutPrimaryWork(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(NO_PRIMARY_WORK);
    all.putAll(options);
    return all;
  }

  private static String plain(Map<String, String> options) {
    return "compression = {'enabled': false} AND compaction = " + TestCluster.decoupled(options);
  }

  /**
   * @param tables {@code WITH} by name; in all of them the operation is under way when the node is
   *     killed
   */
  private void crash(TestCluster cluster, String operation, Map<String, String> tables)
      throws Exception {
    Map<String, AcknowledgedWrites> writes = new HashMap<>();
    tables.forEach(
        (name, with) ->
            writes.put(
                name,
                new AcknowledgedWrites(
                    cluster, KEYSPACE + "." + name, with, ROWS, VALUE_BYTES, seed)));
    writes.values().forEach(AcknowledgedWrites::writeAll);
    // a flush of all of it is what the victim is killed in: one of a few rows is too short
    if (!operation.equals("flush")) {
      cluster.flush(KEYSPACE);
    }
    Node victim = cluster.node(3);
    TestCluster.flushSchema(victim);
    writeThroughAKill(cluster, victim, operation, writes);

    for (Map.Entry<String, AcknowledgedWrites> table : writes.entrySet()) {
      AcknowledgedWrites rows = table.getValue();
      rows.check(cluster.node(1), DefaultConsistencyLevel.QUORUM);
      rows.check(victim, DefaultConsistencyLevel.QUORUM);
      victim.nodetool("repair", "-full", KEYSPACE, table.getKey());
      rows.check(victim, DefaultConsistencyLevel.ALL);
      rows.check(victim, DefaultConsistencyLevel.ONE);
    }
    cluster.compact(KEYSPACE);
    writes.values().forEach(AcknowledgedWrites::checkEverywhere);
    for (Node node : cluster.live()) {
      for (String name : tables.keySet()) {
        TableState state = cluster.state(node, KEYSPACE, name);
        assertThat(state.mixedBytes() + state.foreignBytes()).as(state.toString()).isZero();
        assertThat(state.otherFormatSstables()).as(state.toString()).isZero();
      }
    }
  }

  private void writeThroughAKill(
      TestCluster cluster, Node victim, String operation, Map<String, AcknowledgedWrites> writes)
      throws Exception {
    // a killed coordinator takes the copies with it that it had not sent yet
    List<Node> others = List.of(cluster.node(1), cluster.node(2));
    writes.values().forEach(rows -> rows.start(others));
    try {
      killDuring(operation, victim, writes.keySet());
      awaitWrites(writes.values(), 500);
      victim.start(StartListener.SILENT);
      awaitWrites(writes.values(), 500);
    } finally {
      for (AcknowledgedWrites rows : writes.values()) {
        rows.stop();
      }
    }
  }

  private static void awaitWrites(Collection<AcknowledgedWrites> writes, int more) {
    for (AcknowledgedWrites rows : writes) {
      long before = rows.count();
      await().atMost(Duration.ofSeconds(120)).until(() -> rows.count() > before + more);
    }
  }

  private void killDuring(String operation, Node victim, Collection<String> tables)
      throws Exception {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      setThroughput(victim, operation.equals("flush") ? 0 : 1);
      Thread trigger = new Thread(() -> flushQuietly(victim), "flush-" + victim.index());
      List<Path> directories =
          tables.stream().map(table -> DataFiles.directory(victim, KEYSPACE, table)).toList();
      trigger.start();
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      boolean seen = false;
      while (!seen && System.nanoTime() - deadline < 0) {
        seen = isUnfinished(directories, operation);
        if (operation.equals("compaction")) {
          // which is slowed down, and needs the processors too
          Thread.sleep(1);
        }
        if (!seen && !trigger.isAlive()) {
          trigger = new Thread(() -> flushQuietly(victim), "flush-" + victim.index());
          trigger.start();
        }
      }
      victim.kill();
      trigger.join();
      if (isUnfinished(directories, operation)) {
        return;
      }
      victim.start(StartListener.SILENT);
    }
    throw new AssertionError(
        "no kill in " + ATTEMPTS + " hit a running " + operation + ", " + seed);
  }

  /** Whether each table has a log of a transaction that has added a file and not committed. */
  private static boolean isUnfinished(List<Path> directories, String operation) throws IOException {
    for (Path directory : directories) {
      if (!isUnfinished(directory, operation)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnfinished(Path directory, String operation) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(path -> path.getFileName().toString().contains("_txn_" + operation + "_"))
          .anyMatch(CrashIT::hasOutputButNoEnd);
    } catch (UncheckedIOException removedMeanwhile) {
      return false;
    }
  }

  private static boolean hasOutputButNoEnd(Path log) {
    try {
      String records = Files.readString(log);
      return records.contains("ADD:")
          && !records.contains("COMMIT:")
          && !records.contains("ABORT:");
    } catch (IOException removedMeanwhile) {
      return false;
    }
  }

  private static void flushQuietly(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "forceKeyspaceFlush",
          new Object[] {KEYSPACE, new String[0]},
          new String[] {String.class.getName(), String[].class.getName()});
    } catch (UncheckedIOException killed) {
      // what this call is for
    }
  }

  private static void setThroughput(Node node, int mebibytesPerSecond) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.setAttribute(
          "org.apache.cassandra.db:type=StorageService",
          "CompactionThroughputMbPerSec",
          mebibytesPerSecond);
    }
  }
}
