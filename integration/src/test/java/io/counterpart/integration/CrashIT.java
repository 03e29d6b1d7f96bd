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
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void loses_nothing_when_killed_during_a_flush(TestCluster cluster) throws Exception {
    crash(cluster, "flush", "flushed", TestCluster.decoupled(Map.of()));
  }

  @Test
  void loses_nothing_when_killed_during_a_split(TestCluster cluster) throws Exception {
    Map<String, String> options = new java.util.HashMap<>(NO_PRIMARY_WORK);
    options.putAll(Map.of("split", "background", "runs", "unlimited"));
    crash(cluster, "compaction", "split", TestCluster.decoupled(options));
  }

  @Test
  void loses_nothing_when_killed_during_a_merge(TestCluster cluster) throws Exception {
    Map<String, String> options = new java.util.HashMap<>(NO_PRIMARY_WORK);
    options.putAll(Map.of("split", "flush", "runs", "1", "run_policy", "merge_all"));
    crash(cluster, "compaction", "merged", TestCluster.decoupled(options));
  }

  private void crash(TestCluster cluster, String operation, String name, String compaction)
      throws Exception {
    String with = "compression = {'enabled': false} AND compaction = " + compaction;
    AcknowledgedWrites writes =
        new AcknowledgedWrites(cluster, KEYSPACE + "." + name, with, ROWS, VALUE_BYTES, seed);
    writes.writeAll();
    cluster.flush(KEYSPACE);
    Node victim = cluster.node(3);
    // a killed coordinator takes the copies with it that it had not sent yet
    writes.start(List.of(cluster.node(1), cluster.node(2)));
    long before;
    try {
      killDuring(operation, victim, name);
      before = writes.count();
      await().atMost(Duration.ofSeconds(60)).until(() -> writes.count() > before + 500);
      victim.start(StartListener.SILENT);
      await().atMost(Duration.ofSeconds(60)).until(() -> writes.count() > before + 1000);
    } finally {
      writes.stop();
    }

    writes.check(cluster.node(1), DefaultConsistencyLevel.QUORUM);
    writes.check(victim, DefaultConsistencyLevel.QUORUM);
    victim.nodetool("repair", "-full", KEYSPACE, name);
    writes.check(victim, DefaultConsistencyLevel.ALL);
    writes.check(victim, DefaultConsistencyLevel.ONE);
    cluster.compact(KEYSPACE);
    writes.checkEverywhere();
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, name);
      assertThat(state.mixedBytes() + state.foreignBytes()).as(state.toString()).isZero();
    }
  }

  private void killDuring(String operation, Node victim, String table) throws Exception {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      setThroughput(victim, operation.equals("flush") ? 0 : 1);
      Thread trigger = new Thread(() -> flushQuietly(victim), "flush-" + victim.index());
      Path directory = DataFiles.directory(victim, KEYSPACE, table);
      trigger.start();
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      boolean seen = false;
      while (!seen && System.nanoTime() - deadline < 0) {
        seen = !unfinished(directory, operation).isEmpty();
        if (!seen && !trigger.isAlive()) {
          trigger = new Thread(() -> flushQuietly(victim), "flush-" + victim.index());
          trigger.start();
        }
      }
      victim.kill();
      trigger.join();
      if (!unfinished(directory, operation).isEmpty()) {
        return;
      }
      victim.start(StartListener.SILENT);
    }
    throw new AssertionError(
        "no kill in " + ATTEMPTS + " hit a running " + operation + ", " + seed);
  }

  /** Logs of transactions that have added a file and not committed. */
  private static List<Path> unfinished(Path directory, String operation) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(path -> path.getFileName().toString().contains("_txn_" + operation + "_"))
          .filter(CrashIT::hasOutputButNoEnd)
          .toList();
    } catch (UncheckedIOException removedMeanwhile) {
      return List.of();
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
