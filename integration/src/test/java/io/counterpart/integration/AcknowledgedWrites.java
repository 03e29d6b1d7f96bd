package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.counterpart.cluster.Node;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Rows whose every version is known: writes new versions, at most one of a row at a time, and
 * judges reads against the acknowledged versions. Among random writes are deletions: a version
 * without a row. One writer thread; checks from any thread.
 */
final class AcknowledgedWrites {
  private static final int IN_FLIGHT = 24;

  /** Between random writes: nodes that restart meanwhile need the processors too. */
  private static final long PAUSE_NANOS = 8_000_000;

  /** Of writes, where tests wait for it: a node of a busy machine may stand still for as long. */
  private static final String SHORT_LIMIT = "5000ms";

  /** One random write in so many deletes its row. */
  private static final int DELETION_EVERY = 7;

  private final TestCluster cluster;
  private final String table;
  private final long seed;
  private final int valueBytes;
  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;
  private final AtomicReferenceArray<String> lastValues;
  private final AtomicLong count = new AtomicLong();
  private final PreparedStatement insert;
  private final PreparedStatement delete;

  /** Versions of rows that are deletions, since before they were sent. */
  private final Set<List<Integer>> deletions = ConcurrentHashMap.newKeySet();

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
    this.lastValues = new AtomicReferenceArray<>(rows);
    cluster.execute(
        "CREATE TABLE %s (id int PRIMARY KEY, value text) WITH %s".formatted(table, with));
    this.insert =
        cluster
            .session()
            .prepare("INSERT INTO %s (id, value) VALUES (?, ?) USING TIMESTAMP ?".formatted(table));
    this.delete =
        cluster.session().prepare("DELETE FROM %s USING TIMESTAMP ? WHERE id = ?".formatted(table));
  }

  /** Writes a new version of the rows in {@code [from, to)} at ALL; returns when all have it. */
  void write(int from, int to) {
    write(IntStream.range(from, to), this::insertion);
  }

  private void write(IntStream ids, IntFunction<BoundStatement> next) {
    Semaphore window = new Semaphore(IN_FLIGHT);
    AtomicInteger failed = new AtomicInteger();
    Map<Integer, BoundStatement> unsent = new ConcurrentHashMap<>();
    var through = cluster.driverNode(cluster.live().get(0));
    ids.forEach(
        id -> {
          window.acquireUninterruptibly();
          BoundStatement write = next.apply(id);
          send(id, write, through, DefaultConsistencyLevel.ALL)
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null && mayBeSentAgain(failure.getCause())) {
                      unsent.put(id, write);
                    } else {
                      failed.addAndGet(failure == null ? 0 : 1);
                    }
                    window.release();
                  });
        });
    window.acquireUninterruptibly(IN_FLIGHT);
    assertThat(failed.get()).as("failed writes at ALL to %s", table).isZero();
    unsent.forEach(this::writeAgain);
  }

  private boolean mayBeSentAgain(Throwable failure) {
    Object limit = cluster.cluster().spec().yaml().get("write_request_timeout");
    return failure instanceof AllNodesFailedException
        || failure instanceof WriteTimeoutException && SHORT_LIMIT.equals(limit);
  }

  /** The same version: a node that has come back may be taken for down once more. */
  private void writeAgain(int id, BoundStatement write) {
    cluster.execute(write);
    acknowledged.set(id, issued.get(id));
    count.incrementAndGet();
  }

  void writeAll() {
    write(0, issued.length());
  }

  /** Deletes a random part of the rows at ALL; returns when all nodes have it. */
  void deleteSome(Random random) {
    int[] ids =
        IntStream.range(0, issued.length())
            .filter(id -> random.nextInt(DELETION_EVERY) == 0)
            .toArray();
    write(IntStream.of(ids), this::deletion);
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
      BoundStatement next = random.nextInt(DELETION_EVERY) == 0 ? deletion(id) : insertion(id);
      send(id, next, through.get(id % through.size()), DefaultConsistencyLevel.QUORUM)
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

  private BoundStatement insertion(int id) {
    int version = issued.incrementAndGet(id);
    return insert.bind(id, value(id, version), (long) version);
  }

  private BoundStatement deletion(int id) {
    int version = issued.incrementAndGet(id);
    deletions.add(List.of(id, version));
    return delete.bind((long) version, id);
  }

  private CompletionStage<?> send(
      int id,
      BoundStatement write,
      com.datastax.oss.driver.api.core.metadata.Node through,
      ConsistencyLevel level) {
    int version = issued.get(id);
    return cluster
        .session()
        .executeAsync(write.setConsistencyLevel(level).setNode(through))
        .thenAccept(
            result -> {
              acknowledged.set(id, version);
              count.incrementAndGet();
            });
  }

  /**
   * Reads all rows through one node; every acknowledged version must be there, or a newer one. A
   * row is missing only if one of these is a deletion.
   */
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
      if (version > issued.get(id)
          || deletions.contains(List.of(id, version))
          || !value.equals(value(id, version))) {
        problems.add("row " + id + " has a value never written: " + value);
      } else if (version < promised[id]) {
        problems.add("row %d is at %d, acknowledged %d".formatted(id, version, promised[id]));
      }
    }
    for (int id = 0; id < promised.length; id++) {
      if (promised[id] > 0 && !found.get(id) && !mayBeDeleted(id, promised[id])) {
        problems.add("row " + id + " is lost");
      }
    }
    assertThat(problems.stream().limit(10).toList())
        .as(
            "%d problems of %s at %s on %s, -Dseed=%d",
            problems.size(), table, level, coordinator, seed)
        .isEmpty();
  }

  private boolean mayBeDeleted(int id, int promised) {
    return IntStream.rangeClosed(promised, issued.get(id))
        .anyMatch(version -> deletions.contains(List.of(id, version)));
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

  /** A check asks for the same value at each node and level. */
  private String value(int id, int version) {
    String last = lastValues.get(id);
    if (last != null && last.startsWith(version + ":")) {
      return last;
    }
    byte[] bytes = new byte[valueBytes * 3 / 4];
    new Random(seed ^ (id * 1_000_003L + version)).nextBytes(bytes);
    String value = version + ":" + new String(Base64.getEncoder().encode(bytes), US_ASCII);
    lastValues.set(id, value);
    return value;
  }
}
