package io.counterpart.engine.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.conformance.KvStoreConformance;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Snapshots and long keys on a server that has neither. */
class ServerStoreTest extends KvStoreConformance {
  private static final int SHARED = 500;

  @Override
  protected KvStoreProvider provider() {
    return new KvStoreProvider() {
      @Override
      public String name() {
        return "map";
      }

      @Override
      public KvEngine engine(Map<String, String> options) {
        return place ->
            new ServerStore(
                "the map", new LongKeys(new MapTable(new MemoryStore(), SHARED + 1, 7), SHARED));
      }
    };
  }

  @Test
  void nothing_is_kept_when_no_reader_needs_it() {
    ServerStore small = new ServerStore("the map", table());
    small.write(new KvBatch().put(bytes("a"), bytes("1")));
    assertThat(small.undoBytes()).isZero();

    KvSnapshot reader = small.snapshot();
    small.write(new KvBatch().put(bytes("a"), bytes("2")));
    KvSnapshot later = small.snapshot();
    small.write(new KvBatch().put(bytes("a"), bytes("3")));
    assertThat(small.undoBytes()).isEqualTo(4);
    reader.close();
    assertThat(small.undoBytes()).isEqualTo(2);
    assertThat(later.get(bytes("a"))).isEqualTo(bytes("2"));
    later.close();

    assertThat(small.undoBytes()).isZero();
  }

  @Test
  void a_closed_store_is_released_with_its_last_reader() {
    ServerStore closed = new ServerStore("the map", table());
    closed.write(new KvBatch().put(bytes("a"), bytes("1")));
    KvSnapshot reader = closed.snapshot();
    closed.close();

    assertThat(closed.isReleased()).isFalse();
    assertThat(reader.get(bytes("a"))).isEqualTo(bytes("1"));
    reader.close();

    assertThat(closed.isReleased()).isTrue();
  }

  @Test
  void the_oldest_reader_is_cut_off_at_the_bound() {
    ServerStore small = new ServerStore("the map", table(), 1000);
    KvSnapshot oldest = small.snapshot();
    small.write(new KvBatch().put(bytes("a"), new byte[900]));
    KvSnapshot later = small.snapshot();
    small.write(new KvBatch().put(bytes("a"), new byte[10]));
    assertThat(oldest.get(bytes("a"))).isNull();
    small.write(new KvBatch().put(bytes("b"), new byte[300]));
    small.write(new KvBatch().put(bytes("b"), new byte[1]));

    assertThatThrownBy(() -> oldest.get(bytes("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the map");
    assertThat(small.undoBytes()).isLessThanOrEqualTo(1000);
    try (KvSnapshot now = small.snapshot()) {
      assertThat(keys(now, KvRange.all())).containsExactly("a", "b");
    }
    oldest.close();
    later.close();
    assertThat(small.undoBytes()).isZero();
  }

  @Test
  void a_write_reads_no_more_of_what_it_replaces_than_may_be_kept() {
    MapTable map = new MapTable(new MemoryStore(), SHARED, 7);
    ServerStore small = new ServerStore("the map", map, 1000);
    KvBatch puts = new KvBatch();
    KvBatch deletes = new KvBatch();
    for (int i = 0; i < 2000; i++) {
      puts.put(bytes("key%04d".formatted(i)), new byte[100]);
      deletes.delete(bytes("key%04d".formatted(i)));
    }
    small.write(puts);
    KvSnapshot reader = small.snapshot();
    int before = map.asked();

    small.write(deletes);

    assertThat(map.asked() - before).isLessThanOrEqualTo(256);
    assertThatThrownBy(() -> reader.get(bytes("key0000"))).hasMessageContaining("the map");
    reader.close();
    try (KvSnapshot now = small.snapshot()) {
      assertThat(keys(now, KvRange.all())).isEmpty();
    }
  }

  @Test
  void readers_do_not_wait_for_a_clearing_that_takes_long() throws Exception {
    MapTable map = new MapTable(new MemoryStore(), SHARED, 7);
    ServerStore slow = new ServerStore("the map", map);
    slow.write(new KvBatch().put(bytes("a"), bytes("1")));
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> mayEnd = new CompletableFuture<>();
    map.beforeWrites(
        () -> {
          begun.countDown();
          mayEnd.join();
        });
    CompletableFuture<Void> clearing = CompletableFuture.runAsync(slow::truncate);
    begun.await();
    try {
      assertThatThrownBy(() -> CompletableFuture.supplyAsync(slow::snapshot).get(20, SECONDS))
          .hasCauseInstanceOf(StoreBusyException.class);
      CompletableFuture.runAsync(slow::check).get(20, SECONDS);
    } finally {
      mayEnd.complete(null);
    }
    clearing.get(20, SECONDS);

    try (KvSnapshot now = slow.snapshot()) {
      assertThat(keys(now, KvRange.all())).isEmpty();
    }
  }

  private static ServerTable table() {
    return new MapTable(new MemoryStore(), SHARED, 7);
  }
}
