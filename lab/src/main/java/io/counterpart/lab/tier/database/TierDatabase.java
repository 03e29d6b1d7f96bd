package io.counterpart.lab.tier.database;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Installation;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.ThrowawayCluster;
import io.counterpart.lab.tier.client.TierData;
import io.counterpart.lab.workload.LabSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One stock Cassandra node on this machine, with every object of a tier. Thread-safe. */
public final class TierDatabase implements AutoCloseable {
  private static final int UNDER_WAY = 128;

  /** Cassandra's default for reads. With the lab's usual four, reads would wait for a thread. */
  private static final int THREADS = 32;

  private final ThrowawayCluster cluster;
  private final CqlSession session;
  private final PreparedStatement write;
  private final PreparedStatement read;

  private TierDatabase(ThrowawayCluster cluster, CqlSession session) {
    this.cluster = cluster;
    this.session = session;
    session.execute(
        "CREATE KEYSPACE tier WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    session.execute("CREATE TABLE tier.objects (key blob PRIMARY KEY, value blob)");
    write = session.prepare("INSERT INTO tier.objects (key, value) VALUES (?, ?)");
    read = session.prepare("SELECT value FROM tier.objects WHERE key = ?");
  }

  /**
   * Starts the node and writes all objects.
   *
   * @param home directory for everything that it writes
   * @throws IOException if it does not start, or does not take an object; nothing is left running
   */
  static TierDatabase start(Path home, TierData data, Progress progress) throws IOException {
    progress.say("starting a Cassandra node, the database behind the tier");
    ThrowawayCluster cluster = started(home);
    try {
      TierDatabase database = new TierDatabase(cluster, LabSession.open(cluster.nodes()));
      try {
        database.load(data, progress.step("database load", data.objects()));
        return database;
      } catch (IOException | RuntimeException e) {
        database.session.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static ThrowawayCluster started(Path home) throws IOException {
    LabCluster stock = stock(home, Installation.locate().serverLib());
    try {
      return ThrowawayCluster.start(stock);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  static LabCluster stock(Path home, Path serverLib) {
    return new LabCluster(home, serverLib, null)
        .withNodes(1)
        .with(Map.of("native_transport_max_threads", THREADS, "concurrent_reads", THREADS));
  }

  private void load(TierData data, LongConsumer progress) throws IOException {
    Semaphore window = new Semaphore(UNDER_WAY);
    AtomicInteger failed = new AtomicInteger();
    try {
      for (int key = 0; key < data.objects(); key++) {
        window.acquire();
        session
            .executeAsync(
                write.bind(ByteBuffer.wrap(data.key(key)), data.codec().encode(key, 1).duplicate()))
            .whenComplete(
                (done, failure) -> {
                  failed.addAndGet(failure == null ? 0 : 1);
                  window.release();
                });
        progress.accept(key);
      }
      window.acquire(UNDER_WAY);
    } catch (InterruptedException e) {
      throw interrupted();
    }
    if (failed.get() > 0) {
      throw new IOException(
          "%d of %d objects were not stored in the database"
              .formatted(failed.get(), data.objects()));
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted at the database behind the tier");
  }

  /**
   * Reads an object.
   *
   * @param done gets its value; null if it is not there, or the database does not answer. Called on
   *     the driver's thread
   */
  public void read(byte[] key, Consumer<@Nullable ByteBuffer> done) {
    session
        .executeAsync(read.bind(ByteBuffer.wrap(key)))
        .whenComplete(
            (rows, failure) -> {
              Row row = failure == null ? rows.one() : null;
              done.accept(row == null ? null : row.getByteBuffer(0));
            });
  }

  @Override
  public void close() {
    session.close();
    cluster.close();
  }
}
