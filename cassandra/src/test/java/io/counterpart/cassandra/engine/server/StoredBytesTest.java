package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OfflineStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredBytesTest {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final Sized engine = new Sized();
  private final AtomicLong nanos = new AtomicLong(7);
  private boolean isAway;
  private TableMetadata table;
  private Generations stores;
  private StoredBytes bytes;

  @BeforeEach
  void open() {
    table = OfflineStores.pairs();
    stores = OfflineStores.opened(directory, "engine", engine, table);
    bytes = new StoredBytes(stores, () -> isAway, nanos::get);
  }

  /** Its file has pages, and its state is an entry. */
  @Test
  void an_empty_store_has_nothing() {
    engine.usedBytes = 4096;
    assertThat(bytes.getAsLong()).isZero();

    absorb(1);
    assertThat(bytes.getAsLong()).isEqualTo(4096);

    stores.truncate(100);
    assertThat(bytes.getAsLong()).isZero();
  }

  @Test
  void a_store_in_the_process_is_asked_by_who_reads() {
    absorb(1);
    engine.usedBytes = 10;
    assertThat(bytes.getAsLong()).isEqualTo(10);

    engine.usedBytes = 20;
    assertThat(bytes.getAsLong()).isEqualTo(20);
  }

  @Test
  void a_server_is_not_asked_by_who_reads() {
    engine.isOnServer = true;
    absorb(1);
    engine.usedBytes = 10;

    assertThat(bytes.getAsLong()).as("not empty").isEqualTo(1);
    assertThat(engine.asked).isZero();
    bytes.tick();

    assertThat(bytes.getAsLong()).isEqualTo(10);
    assertThat(engine.asked).isEqualTo(1);
  }

  @Test
  void a_server_is_asked_once_a_minute_if_something_was_written() {
    engine.isOnServer = true;
    absorb(1);
    bytes.tick();

    absorb(2);
    bytes.tick();
    assertThat(engine.asked).isEqualTo(1);
    nanos.addAndGet(PAUSE.toNanos());
    bytes.tick();
    assertThat(engine.asked).isEqualTo(2);
    nanos.addAndGet(PAUSE.toNanos());
    bytes.tick();
    assertThat(engine.asked).as("nothing was written").isEqualTo(2);
  }

  @Test
  void of_a_server_that_is_away_the_last_answer_counts() {
    engine.isOnServer = true;
    absorb(1);
    engine.usedBytes = 10;
    bytes.tick();
    absorb(2);
    engine.usedBytes = 20;
    nanos.addAndGet(PAUSE.toNanos());

    isAway = true;
    bytes.tick();
    assertThat(engine.asked).as("known to be away").isEqualTo(1);
    isAway = false;
    engine.failure = new StoreAwayException("server of a test");
    bytes.tick();

    assertThat(bytes.getAsLong()).isEqualTo(10);
    engine.failure = null;
    nanos.addAndGet(PAUSE.toNanos());
    bytes.tick();
    assertThat(bytes.getAsLong()).isEqualTo(20);
  }

  private void absorb(int key) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, key).timestamp(key).nowInSec(1_000_000_000L);
    update.row().add("v", key);
    stores.absorb(
        List.of(update.build()), () -> new PurgeRule(0, 2_000_000_000L, partition -> true));
  }

  /** One store, whose size the test says. */
  private static final class Sized implements KvEngine {
    private boolean isOnServer;
    private long usedBytes;
    private int asked;
    private StoreAwayException failure;

    @Override
    public boolean isOnServer() {
      return isOnServer;
    }

    @Override
    public KvStore open(StorePlace place) {
      MemoryStore store = new MemoryStore();
      return new KvStore() {
        @Override
        public KvSnapshot snapshot() {
          return store.snapshot();
        }

        @Override
        public void write(KvBatch batch) {
          store.write(batch);
        }

        @Override
        public StoreStats stats() {
          asked++;
          if (failure != null) {
            throw failure;
          }
          return new StoreStats(1, usedBytes, usedBytes);
        }

        @Override
        public void close() {
          store.close();
        }
      };
    }
  }
}
