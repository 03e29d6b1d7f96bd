package io.counterpart.integration;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A client that writes versions of rows, and others that read them beside it through every node,
 * each at a level of its own. A read misses if it returns an older version than was acknowledged
 * when it began. Requests that fail count apart.
 */
final class VersionedClients implements AutoCloseable {
  private static final long PAUSE_NANOS = 10_000_000;

  private final TestCluster cluster;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final AtomicIntegerArray acknowledged;
  private final long seed;
  private final Predicate<io.counterpart.cluster.Node> coordinators;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger failedWrites = new AtomicInteger();
  private volatile boolean stopping;

  /**
   * Of an existing table with columns {@code id int PRIMARY KEY, version int}.
   *
   * @param rows their number
   */
  VersionedClients(TestCluster cluster, String table, int rows, Seed seed) {
    this(cluster, table, rows, seed, node -> true);
  }

  /**
   * The same through some of the nodes.
   *
   * @param coordinators which
   */
  VersionedClients(
      TestCluster cluster,
      String table,
      int rows,
      Seed seed,
      Predicate<io.counterpart.cluster.Node> coordinators) {
    this.cluster = cluster;
    this.seed = seed.value();
    this.coordinators = coordinators;
    acknowledged = new AtomicIntegerArray(rows);
    insert =
        cluster
            .session()
            .prepare(
                "INSERT INTO %s (id, version) VALUES (?, ?) USING TIMESTAMP ?".formatted(table));
    select = cluster.session().prepare("SELECT version FROM %s WHERE id = ?".formatted(table));
  }

  /** What one reader has seen. */
  static final class Reads {
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Queue<String> missed = new ConcurrentLinkedQueue<>();

    int answered() {
      return answered.get();
    }

    int failed() {
      return failed.get();
    }

    List<String> missed() {
      return List.copyOf(missed);
    }
  }

  int failedWrites() {
    return failedWrites.get();
  }

  /** Writes every row once. */
  void writeAll(ConsistencyLevel level) {
    for (int id = 0; id < acknowledged.length(); id++) {
      try {
        write(id, nodes().get(0), level);
      } catch (WriteTimeoutException late) {
        // the same version: a node may stand still for as long as a write waits for it
        write(id, nodes().get(0), level);
      }
    }
  }

  private void write(int id, Node coordinator, ConsistencyLevel level) {
    int version = acknowledged.get(id) + 1;
    cluster
        .session()
        .execute(
            insert
                .bind(id, version, (long) version)
                .setConsistencyLevel(level)
                .setNode(coordinator));
    acknowledged.set(id, version);
  }

  /** Writes random rows until the end. */
  void startWriter(ConsistencyLevel level) {
    start(
        new Random(seed),
        (id, coordinator) -> {
          try {
            write(id, coordinator, level);
          } catch (DriverException e) {
            failedWrites.incrementAndGet();
          }
        });
  }

  /** Reads random rows until the end. */
  Reads startReader(ConsistencyLevel level) {
    Reads reads = new Reads();
    start(new Random(seed + 1), (id, coordinator) -> read(id, coordinator, level, reads));
    return reads;
  }

  private void read(int id, Node coordinator, ConsistencyLevel level, Reads reads) {
    int promised = acknowledged.get(id);
    try {
      Row row =
          cluster
              .session()
              .execute(select.bind(id).setConsistencyLevel(level).setNode(coordinator))
              .one();
      int version = row == null ? 0 : row.getInt(0);
      reads.answered.incrementAndGet();
      if (version < promised) {
        reads.missed.add(
            "row %d through %s is at %d, acknowledged %d"
                .formatted(id, coordinator.getEndPoint(), version, promised));
      }
    } catch (DriverException e) {
      reads.failed.incrementAndGet();
    }
  }

  private interface Request {
    void send(int id, Node coordinator);
  }

  private void start(Random random, Request request) {
    List<Node> through = nodes();
    Thread thread =
        new Thread(
            () -> {
              while (!stopping) {
                request.send(
                    random.nextInt(acknowledged.length()),
                    through.get(random.nextInt(through.size())));
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            },
            "client");
    threads.add(thread);
    thread.start();
  }

  private List<Node> nodes() {
    return cluster.live().stream().filter(coordinators).map(cluster::driverNode).toList();
  }

  /** Reads every row through every node. */
  Reads readAll(ConsistencyLevel level) {
    Reads reads = new Reads();
    for (Node node : nodes()) {
      for (int id = 0; id < acknowledged.length(); id++) {
        read(id, node, level, reads);
      }
    }
    return reads;
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }
}
