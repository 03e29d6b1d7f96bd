package io.counterpart.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.DurableStoreConformance;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbStoreTest extends DurableStoreConformance {
  private static final long SMALL_MAP_BYTES = 1 << 20;

  @TempDir Path other;

  @Override
  protected KvStoreProvider provider() {
    return new LmdbProvider();
  }

  private KvStore open(LmdbProvider provider) {
    return provider.engine(Map.of()).open(new StorePlace(other, "ks", "t"));
  }

  @Test
  void is_found_by_its_name() {
    assertThat(KvStoreProvider.named("lmdb", getClass().getClassLoader()))
        .isInstanceOf(LmdbProvider.class);
  }

  @Test
  void the_map_grows_with_the_data_and_is_large_enough_when_reopened() {
    LmdbProvider small = new LmdbProvider(SMALL_MAP_BYTES);
    byte[] value = new byte[10_000];
    try (KvStore grown = open(small)) {
      for (int i = 0; i < 500; i++) {
        grown.write(new KvBatch().put(bytes("key" + i), value));
      }
      assertThat(grown.stats().usedBytes()).isGreaterThan(4 * SMALL_MAP_BYTES);
    }

    try (KvStore reopened = open(small);
        KvSnapshot snapshot = reopened.snapshot()) {
      assertThat(keys(snapshot, KvRange.all())).hasSize(500);
    }
  }

  @Test
  void the_map_grows_for_one_batch_that_is_larger() {
    try (KvStore grown = open(new LmdbProvider(SMALL_MAP_BYTES))) {
      KvBatch batch = new KvBatch();
      for (int i = 0; i < 300; i++) {
        batch.put(bytes("key" + i), new byte[50_000]);
      }
      grown.write(batch);

      try (KvSnapshot snapshot = grown.snapshot()) {
        assertThat(keys(snapshot, KvRange.all())).hasSize(300);
      }
    }
  }

  /** Growth waits for open snapshots, and a reader with one may still take a second. */
  @Test
  void a_reader_with_a_snapshot_gets_another_while_the_map_waits_to_grow() throws Exception {
    try (KvStore grown = open(new LmdbProvider(SMALL_MAP_BYTES))) {
      KvSnapshot first = grown.snapshot();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      CountDownLatch written = new CountDownLatch(1);
      Thread writer =
          new Thread(
              () -> {
                try {
                  grown.write(new KvBatch().put(bytes("large"), new byte[5 << 20]));
                  written.countDown();
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              });
      writer.start();

      assertThat(written.await(200, TimeUnit.MILLISECONDS)).isFalse();
      grown.snapshot().close();
      first.close();

      assertThat(written.await(10, TimeUnit.SECONDS)).as("%s", failure.get()).isTrue();
      writer.join();
    }
  }

  @Test
  void a_directory_is_opened_once_until_its_last_reader_is_gone() {
    LmdbProvider provider = new LmdbProvider();
    KvStore first = open(provider);
    assertThatThrownBy(() -> open(provider)).isInstanceOf(StoreException.class);
    KvSnapshot reader = first.snapshot();
    first.close();
    assertThatThrownBy(() -> open(provider)).hasMessageContaining(other.toString());

    reader.close();

    open(provider).close();
  }
}
