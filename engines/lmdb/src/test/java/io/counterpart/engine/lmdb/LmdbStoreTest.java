package io.counterpart.engine.lmdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.DurableStoreConformance;
import io.counterpart.engine.conformance.SmallDisk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

class LmdbStoreTest extends DurableStoreConformance {
  private static final long SMALL_MAP_BYTES = 1 << 20;

  private static final int BATCH_KEYS = 5;
  private static final int PAGE_BYTES = 4096;

  /** Of a page: LMDB's MDB_page.mp_flags. */
  private static final int PAGE_FLAGS = 10;

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
  void on_a_full_disk_a_batch_fails_whole_and_later_ones_succeed() throws Exception {
    int batches = 0;
    try (SmallDisk disk = SmallDisk.mount(Path.of("target/lmdb-disk-" + System.nanoTime()), 8)) {
      StorePlace place = new StorePlace(disk.directory().resolve("store"), "ks", "t");
      try (KvStore store = new LmdbProvider().engine(Map.of()).open(place)) {
        StoreException failure = null;
        while (failure == null) {
          try {
            store.write(batch(batches));
            batches++;
          } catch (StoreException e) {
            failure = e;
          }
        }
        assertThat(failure)
            .isNotInstanceOf(StoreAwayException.class)
            .hasMessageContaining("its disk has ");
        assertBatches(store, batches);

        disk.resize(64);

        for (int i = 0; i < 4; i++) {
          store.write(batch(batches++));
        }
        assertBatches(store, batches);
      }
      try (KvStore reopened = new LmdbProvider().engine(Map.of()).open(place)) {
        assertBatches(reopened, batches);
      }
    }
  }

  private static KvBatch batch(int number) {
    KvBatch batch = new KvBatch();
    for (int i = 0; i < BATCH_KEYS; i++) {
      batch.put(bytes("%05d-%d".formatted(number, i)), new byte[100_000]);
    }
    return batch;
  }

  /** The first batches are there as a whole, and nothing else is. */
  private static void assertBatches(KvStore store, int batches) {
    try (KvSnapshot snapshot = store.snapshot()) {
      assertThat(keys(snapshot, KvRange.all())).hasSize(batches * BATCH_KEYS);
    }
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

      assertThat(written.await(60, TimeUnit.SECONDS)).as("%s", failure.get()).isTrue();
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

  /** Of the tree: an entry's own checksum is its reader's. */
  @Test
  void a_damaged_page_is_a_failure_of_the_store() throws Exception {
    String value = "a value to look for";
    try (KvStore store = open(new LmdbProvider())) {
      store.write(new KvBatch().put(bytes("key"), bytes(value)));
    }
    Path file = other.resolve("data.mdb");
    byte[] content = Files.readAllBytes(file);
    int page = new String(content, ISO_8859_1).indexOf(value) / PAGE_BYTES * PAGE_BYTES;
    // neither a branch nor a leaf
    content[page + PAGE_FLAGS] = 0;
    content[page + PAGE_FLAGS + 1] = 0;
    Files.write(file, content);

    try (KvStore store = open(new LmdbProvider());
        KvSnapshot snapshot = store.snapshot()) {
      assertThatThrownBy(() -> snapshot.get(bytes("key"))).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void transactions_that_were_kept_leave_their_slots_when_they_are_closed() {
    try (Env<byte[]> env =
        Env.create(ByteArrayProxy.PROXY_BA)
            .setMapSize(SMALL_MAP_BYTES)
            .setMaxReaders(4)
            .open(other.toFile(), EnvFlags.MDB_NOTLS)) {
      ReadTransactions transactions = new ReadTransactions(env);
      for (int round = 0; round < 5; round++) {
        Txn<byte[]> one = transactions.take();
        Txn<byte[]> two = transactions.take();
        transactions.give(one);
        transactions.give(two);
        transactions.close();
      }
    }
  }

  /** As where the directory for temporary files may not have programs. */
  @Test
  void without_its_native_library_a_store_cannot_be_opened() throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
            .replace("\n", File.pathSeparator);
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlmdbjava.native.lib=" + other.resolve("absent.so"),
                "-cp",
                classPath,
                TwoAttempts.class.getName(),
                other.resolve("store").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    assertThat(child.inputReader().lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("cannot open the LMDB store"));
  }

  /** What a process prints that opens a store and, as a flush does, tries again. */
  static final class TwoAttempts {
    private TwoAttempts() {}

    public static void main(String[] arguments) {
      StorePlace place = new StorePlace(Path.of(arguments[0]), "ks", "t");
      for (int attempt = 0; attempt < 2; attempt++) {
        try {
          new LmdbProvider().engine(Map.of()).open(place).close();
          System.out.println("opened");
        } catch (StoreException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }
}
