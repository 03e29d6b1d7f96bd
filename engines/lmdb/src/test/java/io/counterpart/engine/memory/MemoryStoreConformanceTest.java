package io.counterpart.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.conformance.DurableStoreConformance;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryStoreConformanceTest extends DurableStoreConformance {
  @Override
  protected KvStoreProvider provider() {
    return new MemoryProvider();
  }

  @Override
  protected Map<String, String> options() {
    return Map.of("memory", "1MiB");
  }

  @Test
  void is_found_by_its_name() {
    assertThat(KvStoreProvider.named("memory", getClass().getClassLoader()))
        .isInstanceOf(MemoryProvider.class);
  }

  @Test
  void memory_answers_a_second_read() {
    put("a", "1");
    assertThat(get("a")).isEqualTo("1");
    assertThat(get("a")).isEqualTo("1");
    assertThat(get("a")).isEqualTo("1");
    assertThat(store.stats().hitRatio()).isGreaterThan(0.6);
    put("a", "2");
    assertThat(get("a")).isEqualTo("2");
    store.truncate();
    assertThat(get("a")).isNull();
  }

  @Test
  void what_does_not_fit_is_read_from_behind() {
    for (int i = 0; i < 3000; i++) {
      store.write(new KvBatch().put(bytes("key" + i), new byte[1000]));
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3000; i++) {
        assertThat(get("key" + i)).hasSize(1000);
      }
    }
    assertThat(store.stats().hitRatio()).isBetween(0.0, 0.6);
  }

  @Test
  void memory_is_bounded() {
    ResidentEntries entries = new ResidentEntries(1 << 20);
    ResidentEntries.Share share = entries.share();
    for (int i = 0; i < 5000; i++) {
      share.putIf(bytes("key" + i), new ResidentEntries.Entry(new byte[1000], 1), () -> true);
    }
    assertThat(share.bytes()).isBetween(1L << 19, 1L << 20);
    share.clear();
    assertThat(share.bytes()).isZero();
  }

  /** As of a reader that looked for writes before the clearing, and puts behind its walk. */
  @Test
  void what_a_reader_puts_while_the_store_is_cleared_is_not_read() {
    ResidentEntries.Share share = new ResidentEntries(1 << 20).share();
    try (KvStore resident = new ResidentStore(new MemoryStore(), share)) {
      resident.write(new KvBatch().put(bytes("a"), bytes("1")));
      resident.truncate();
      share.putIf(bytes("a"), new ResidentEntries.Entry(bytes("1"), 1), () -> true);

      try (KvSnapshot snapshot = resident.snapshot()) {
        assertThat(snapshot.get(bytes("a"))).isNull();
      }
    }
  }

  @Test
  void a_size_that_is_none_is_refused() {
    for (String size : List.of("1", "-1MiB", "10KiB", "900000GiB", "")) {
      assertThatThrownBy(() -> new MemoryProvider().engine(new HashMap<>(Map.of("memory", size))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + size + "'")
          .hasMessageContaining("1MiB");
    }
  }

  /** A reader never sees a value that is older than its snapshot, nor two of one batch. */
  @Test
  void readers_beside_a_writer_see_whole_batches_by_single_reads() throws Exception {
    int keys = 20;
    AtomicLong written = new AtomicLong(-1);
    AtomicBoolean done = new AtomicBoolean();
    write(keys, 0);
    written.set(0);
    ExecutorService readers = Executors.newFixedThreadPool(4);
    List<Future<?>> reading = new ArrayList<>();
    long seed = System.nanoTime();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed + i);
      reading.add(
          readers.submit(
              () -> {
                while (!done.get()) {
                  long least = written.get();
                  try (KvSnapshot snapshot = store.snapshot()) {
                    long first = number(snapshot, random.nextInt(keys));
                    assertThat(first).as("seed %d", seed).isGreaterThanOrEqualTo(least);
                    for (int read = 0; read < 5; read++) {
                      assertThat(number(snapshot, random.nextInt(keys)))
                          .as("seed %d", seed)
                          .isEqualTo(first);
                    }
                  }
                }
              }));
    }
    for (int round = 1; round < 1500; round++) {
      write(keys, round);
      written.set(round);
    }
    done.set(true);
    readers.shutdown();
    for (Future<?> reader : reading) {
      reader.get();
    }
  }

  private void write(int keys, int number) {
    KvBatch batch = new KvBatch();
    for (int key = 0; key < keys; key++) {
      batch.put(bytes("key" + key), bytes(Integer.toString(number)));
    }
    store.write(batch);
  }

  private static long number(KvSnapshot snapshot, int key) {
    byte[] value = snapshot.get(bytes("key" + key));
    return value == null
        ? -1
        : Long.parseLong(new String(value, java.nio.charset.StandardCharsets.ISO_8859_1));
  }
}
