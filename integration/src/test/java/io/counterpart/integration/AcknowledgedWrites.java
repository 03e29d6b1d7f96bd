package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Rows whose every version is known: writes new versions, at most one of a row at a time, and
 * judges reads against the acknowledged versions. One writer thread; checks from any thread.
 */
final class AcknowledgedWrites {
  private static final int IN_FLIGHT = 24;

  /** Between random writes: nodes that restart meanwhile need the processors too. */
  private static final long PAUSE_NANOS = 5_000_000;

  private final TestCluster cluster;
  private final String table;
  private final long seed;
  private final int valueBytes;
  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;
  private final AtomicLong count = new AtomicLong();
  private final PreparedStatement insert;
  private volatile Thread writer;
  private volatile boolean stopping;

  /**
   * Creates the table.
   *
   * @param table with its keyspace
   * @param with the table's options
   */
  AcknowledgedWrites(
      TestCluster cluster, String table, String with, int rows, int valueBytes, Seed seed) {
    this.cluster = cluster;
    this.table = table;
    this.seed = seed.value();
    this.valueBytes = valueBytes;
    this.issued = new AtomicIntegerArray(rows);
    this.acknowledged = new AtomicIntegerArray(rows);
    cluster.execute(
        "CREATE TABLE %s (id int PRIMARY KEY, value text) WITH %s".formatted(table, with));
    this.insert =
        cluster
            .session()
            .prepare("INSERT INTO %s (id, value) VALUES (?, ?) USING TIMESTAMP ?".formatted(table));
  }

  /** Writes a new version of the rows in {@code [from, to)} at ALL; returns when all have it. */
  void write(int from, int to) {
    Semaphore window = new Semaphore(IN_FLIGHT);
    AtomicInteger failed = new AtomicInteger();
    var through = cluster.driverNode(cluster.live().get(0));
    for (int id = from; id < to; id++) {
      window.acquireUninterruptibly();
      send(id, through, DefaultConsistencyLevel.ALL)
          .whenComplete(
              (done, failure) -> {
                failed.addAndGet(failure == null ? 0 : 1);
                window.release();
              });
    }
    window.acquireUninterruptibly(IN_FLIGHT);
    assertThat(failed.get()).as("failed writes at ALL to %s", table).isZero();
  }

  void writeAll() {
    write(0, issued.length());
  }

  /** Writes all rows again and again, each time to a flush of its own on every node. */
  void writeAllAndFlush(int rounds) {
    for (int round = 0; round < rounds; round++) {
      writeAll();
      cluster.flush(table.substring(0, table.indexOf('.')));
    }
  }

  /** Keeps writing random rows at QUORUM through the given nodes until {@link #stop}. */
  void start(List<Node> coordinators) {
    List<com.datastax.oss.driver.api.core.metadata.Node> through =
        coordinators.stream().map(cluster::driverNode).toList();
    stopping = false;
    writer = new Thread(() -> writeRandomly(through), "writer-" + table);
    writer.start();
  }

  void stop() throws InterruptedException {
    stopping = true;
    writer.join();
  }

  /** Acknowledged writes so far. */
  long count() {
    return count.get();
  }

  private void writeRandomly(List<com.datastax.oss.driver.api.core.metadata.Node> through) {
    Random random = new Random(seed);
    Semaphore window = new Semaphore(IN_FLIGHT);
    BitSet busy = new BitSet();
    while (!stopping) {
      int id = random.nextInt(issued.length());
      synchronized (busy) {
        if (busy.get(id)) {
          continue;
        }
        busy.set(id);
      }
      window.acquireUninterruptibly();
      LockSupport.parkNanos(PAUSE_NANOS);
      send(id, through.get(id % through.size()), DefaultConsistencyLevel.QUORUM)
          .whenComplete(
              (done, failure) -> {
                synchronized (busy) {
                  busy.clear(id);
                }
                window.release();
              });
    }
    window.acquireUninterruptibly(IN_FLIGHT);
  }

  private CompletionStage<?> send(
      int id, com.datastax.oss.driver.api.core.metadata.Node through, ConsistencyLevel level) {
    int version = issued.incrementAndGet(id);
    return cluster
        .session()
        .executeAsync(
            insert
                .bind(id, value(id, version), (long) version)
                .setConsistencyLevel(level)
                .setNode(through))
        .thenAccept(
            result -> {
              acknowledged.set(id, version);
              count.incrementAndGet();
            });
  }

  /** Reads all rows through one node; every acknowledged version must be there, or a newer one. */
  void check(Node coordinator, ConsistencyLevel level) {
    List<String> problems = new ArrayList<>();
    BitSet found = new BitSet();
    // what is acknowledged while the read is under way need not be in it
    int[] promised = IntStream.range(0, acknowledged.length()).map(acknowledged::get).toArray();
    for (Row row : cluster.query(coordinator, level, "SELECT id, value FROM " + table)) {
      int id = row.getInt("id");
      found.set(id);
      String value = row.getString("value");
      int version = Integer.parseInt(value.substring(0, value.indexOf(':')));
      if (version > issued.get(id) || !value.equals(value(id, version))) {
        problems.add("row " + id + " has a value never written: " + value);
      } else if (version < promised[id]) {
        problems.add("row %d is at %d, acknowledged %d".formatted(id, version, promised[id]));
      }
    }
    for (int id = 0; id < promised.length; id++) {
      if (promised[id] > 0 && !found.get(id)) {
        problems.add("row " + id + " is lost");
      }
    }
    assertThat(problems.stream().limit(10).toList())
        .as(
            "%d problems of %s at %s on %s, -Dseed=%d",
            problems.size(), table, level, coordinator, seed)
        .isEmpty();
  }

  /** Checks at ONE on every live node, and at QUORUM and ALL, unless a single node has all. */
  void checkEverywhere() {
    cluster.live().forEach(node -> check(node, DefaultConsistencyLevel.ONE));
    if (cluster.cluster().nodes().size() == 1) {
      return;
    }
    check(cluster.live().get(0), DefaultConsistencyLevel.QUORUM);
    check(cluster.live().get(0), DefaultConsistencyLevel.ALL);
  }

  private String value(int id, int version) {
    byte[] bytes = new byte[valueBytes * 3 / 4];
    new Random(seed ^ (id * 1_000_003L + version)).nextBytes(bytes);
    return version + ":" + new String(Base64.getEncoder().encode(bytes), US_ASCII);
  }
}
