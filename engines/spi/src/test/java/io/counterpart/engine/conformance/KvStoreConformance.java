package io.counterpart.engine.conformance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.StoreStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What any store must do. An engine's module has a test class that extends this one. */
public abstract class KvStoreConformance {
  private static final int LONGEST_USUAL_KEY = 1200;

  @TempDir protected Path directory;
  protected KvStore store;

  /** The engine under test, by a class that {@link BatchWriter} can make too. */
  protected abstract KvStoreProvider provider();

  /** Its options. */
  protected Map<String, String> options() {
    return Map.of();
  }

  protected final KvEngine engine() {
    Map<String, String> options = new HashMap<>(options());
    KvEngine engine = provider().engine(options);
    assertThat(options).isEmpty();
    return engine;
  }

  protected final StorePlace place(String name) {
    return new StorePlace(directory.resolve(name), "some_keyspace", "some_table");
  }

  @BeforeEach
  void openStore() {
    store = engine().open(place("store"));
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  protected void put(String key, String value) {
    store.write(new KvBatch().put(bytes(key), bytes(value)));
  }

  protected @Nullable String get(String key) {
    try (KvSnapshot snapshot = store.snapshot()) {
      byte[] value = snapshot.get(bytes(key));
      return value == null ? null : new String(value, ISO_8859_1);
    }
  }

  protected static List<String> keys(KvSnapshot snapshot, KvRange range) {
    List<String> keys = new ArrayList<>();
    try (KvCursor cursor = snapshot.scan(range)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), ISO_8859_1));
      }
    }
    return keys;
  }

  protected List<String> keys(KvRange range) {
    try (KvSnapshot snapshot = store.snapshot()) {
      return keys(snapshot, range);
    }
  }

  @Test
  void orders_keys_as_unsigned_bytes_a_prefix_first() {
    store.write(
        new KvBatch()
            .put(new byte[] {(byte) 0x80}, bytes("3"))
            .put(new byte[] {0x7f, 0}, bytes("2"))
            .put(new byte[] {0x7f}, bytes("1"))
            .put(new byte[] {(byte) 0xff, 1}, bytes("4"))
            .put(new byte[] {0}, bytes("0")));

    List<String> values = new ArrayList<>();
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.all())) {
      while (cursor.next()) {
        values.add(new String(cursor.value(), ISO_8859_1));
      }
    }

    assertThat(values).containsExactly("0", "1", "2", "3", "4");
  }

  @Test
  void scans_from_inclusive_to_exclusive_in_both_directions() {
    List.of("a", "b", "c", "d", "e").forEach(key -> put(key, key));

    KvRange range = KvRange.of(bytes("b"), bytes("d"));
    assertThat(keys(range)).containsExactly("b", "c");
    assertThat(keys(range.reverse())).containsExactly("c", "b");
    assertThat(keys(KvRange.of(bytes("bb"), null))).containsExactly("c", "d", "e");
    assertThat(keys(KvRange.of(null, bytes("bb")).reverse())).containsExactly("b", "a");
    assertThat(keys(KvRange.of(bytes("x"), bytes("z")))).isEmpty();
    assertThat(keys(KvRange.of(bytes("x"), bytes("z")).reverse())).isEmpty();
    assertThat(keys(KvRange.of(bytes("d"), bytes("b")))).isEmpty();
    assertThat(keys(KvRange.of(null, bytes("a")).reverse())).isEmpty();
  }

  @Test
  void a_cursor_stays_at_its_end() {
    put("a", "1");

    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.all())) {
      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void applies_a_batch_in_its_order() {
    put("a", "old");
    put("b", "old");

    store.write(
        new KvBatch()
            .delete(bytes("a"))
            .put(bytes("a"), bytes("new"))
            .put(bytes("b"), bytes("new"))
            .delete(bytes("b"))
            .delete(bytes("absent")));

    assertThat(get("a")).isEqualTo("new");
    assertThat(get("b")).isNull();
  }

  @Test
  void a_clearing_batch_replaces_everything() {
    put("a", "1");
    put("b", "1");

    store.write(KvBatch.clearing().put(bytes("c"), bytes("2")));

    assertThat(keys(KvRange.all())).containsExactly("c");
    store.truncate();
    assertThat(keys(KvRange.all())).isEmpty();
    put("d", "3");
    assertThat(keys(KvRange.all())).containsExactly("d");
  }

  @Test
  void refuses_keys_that_are_empty_or_too_long() {
    assertThatThrownBy(() -> new KvBatch().put(new byte[0], bytes("x")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KvBatch().delete(new byte[KvStore.MOST_KEY_BYTES + 1]))
        .hasMessageContaining(Integer.toString(KvStore.MOST_KEY_BYTES));
  }

  @Test
  void keeps_empty_and_large_values() {
    byte[] large = new byte[20 << 20];
    new Random(1).nextBytes(large);
    store.write(new KvBatch().put(bytes("large"), large).put(bytes("empty"), new byte[0]));

    try (KvSnapshot snapshot = store.snapshot()) {
      assertThat(snapshot.get(bytes("large"))).isEqualTo(large);
      assertThat(snapshot.get(bytes("empty"))).isEmpty();
    }
  }

  @Test
  void keeps_the_longest_keys() {
    // a partition key and a clustering of 64 KiB each, escaped
    String longest = "x".repeat(4 * 0xffff);
    put(longest, "1");
    put(longest.substring(1), "2");

    assertThat(get(longest)).isEqualTo("1");
    assertThat(keys(KvRange.all())).containsExactly(longest.substring(1), longest);
    store.write(new KvBatch().delete(bytes(longest)));
    assertThat(keys(KvRange.all())).containsExactly(longest.substring(1));
  }

  @Test
  void a_snapshot_does_not_see_later_writes() {
    put("a", "1");
    try (KvSnapshot before = store.snapshot()) {
      put("a", "2");
      put("b", "2");
      try (KvSnapshot after = store.snapshot()) {
        put("a", "3");
        store.write(new KvBatch().delete(bytes("b")).put(bytes("c"), bytes("3")));

        assertThat(before.get(bytes("a"))).isEqualTo(bytes("1"));
        assertThat(before.get(bytes("b"))).isNull();
        assertThat(keys(before, KvRange.all())).containsExactly("a");
        assertThat(after.get(bytes("a"))).isEqualTo(bytes("2"));
        assertThat(keys(after, KvRange.all())).containsExactly("a", "b");
        assertThat(keys(after, KvRange.all().reverse())).containsExactly("b", "a");
        assertThat(keys(after, KvRange.of(bytes("b"), null))).containsExactly("b");
      }
    }
    assertThat(keys(KvRange.all())).containsExactly("a", "c");
  }

  /** An engine may cut the snapshot off, but never show it a part. */
  @Test
  void a_snapshot_from_before_a_clearing_sees_all_or_fails() {
    put("a", "1");
    put("b", "1");
    try (KvSnapshot before = store.snapshot()) {
      store.truncate();
      try {
        assertThat(keys(before, KvRange.all())).containsExactly("a", "b");
        assertThat(before.get(bytes("a"))).isEqualTo(bytes("1"));
      } catch (StoreException cutOff) {
        assertThat(cutOff).hasMessageContaining("clearing");
      }
    }
    assertThat(keys(KvRange.all())).isEmpty();
  }

  @Test
  void a_dropped_store_is_new_when_it_is_opened_again() {
    put("a", "1");
    store.close();

    engine().drop(place("store"));
    engine().drop(place("store"));
    store = engine().open(place("store"));

    assertThat(keys(KvRange.all())).isEmpty();
  }

  @Test
  void another_thread_may_close_a_snapshot() throws Exception {
    put("a", "1");
    KvSnapshot snapshot = store.snapshot();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> closed =
          other.submit(
              () -> {
                assertThat(snapshot.get(bytes("a"))).isEqualTo(bytes("1"));
                snapshot.close();
              });
      closed.get();
      snapshot.close();
      put("b", "2");
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void does_what_a_sorted_map_does() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int round = 0; round < 40; round++) {
      KvBatch batch = new KvBatch();
      for (int i = random.nextInt(200); i >= 0; i--) {
        byte[] key = key(random);
        if (random.nextInt(3) == 0) {
          batch.delete(key);
          model.remove(key);
        } else {
          byte[] value = new byte[random.nextInt(300)];
          random.nextBytes(value);
          batch.put(key, value);
          model.put(key, value);
        }
      }
      store.write(batch);
      byte[] from = key(random);
      byte[] to = key(random);
      if (Arrays.compareUnsigned(from, to) < 0) {
        check(seed, random, KvRange.of(from, to), model.subMap(from, true, to, false));
        check(
            seed,
            random,
            KvRange.of(from, to).reverse(),
            model.subMap(from, true, to, false).descendingMap());
      }
      check(seed, random, KvRange.of(null, to).reverse(), model.headMap(to, false).descendingMap());
      check(seed, random, KvRange.of(from, null), model.tailMap(from, true));
    }
  }

  /** Few different bytes and lengths around limits, so that keys share prefixes and buckets. */
  private static byte[] key(Random random) {
    int length =
        switch (random.nextInt(4)) {
          case 0 -> 498 + random.nextInt(6);
          case 1 -> 500 + random.nextInt(LONGEST_USUAL_KEY - 500);
          default -> 1 + random.nextInt(6);
        };
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) 'k');
    for (int i = 0; i < 3; i++) {
      key[random.nextInt(length)] = (byte) random.nextInt(256);
    }
    key[length - 1] = (byte) random.nextInt(3);
    return key;
  }

  /** Some of the entries are asked for one by one, too: each is a call where there is a server. */
  private void check(
      long seed, Random random, KvRange range, NavigableMap<byte[], byte[]> expected) {
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(range)) {
      expected.forEach(
          (key, value) -> {
            assertThat(cursor.next()).as("seed %d", seed).isTrue();
            assertThat(cursor.key()).as("seed %d", seed).isEqualTo(key);
            assertThat(cursor.value()).as("seed %d", seed).isEqualTo(value);
            if (random.nextInt(8) == 0) {
              assertThat(snapshot.get(key)).as("seed %d", seed).isEqualTo(value);
            }
          });
      assertThat(cursor.next()).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void readers_see_whole_batches_while_one_thread_writes() throws Exception {
    int keys = 50;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(4);
    List<Future<?>> reading = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      reading.add(
          readers.submit(
              () -> {
                while (!done.get()) {
                  assertThat(distinctValues()).hasSizeLessThanOrEqualTo(1);
                }
              }));
    }
    for (int round = 0; round < 100; round++) {
      KvBatch batch = new KvBatch();
      for (int key = 0; key < keys; key++) {
        batch.put(bytes("key" + key), bytes("value" + round));
      }
      store.write(batch);
    }
    done.set(true);
    readers.shutdown();
    for (Future<?> reader : reading) {
      reader.get();
    }
  }

  private List<String> distinctValues() {
    List<String> values = new ArrayList<>();
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.all())) {
      while (cursor.next()) {
        values.add(new String(cursor.value(), ISO_8859_1));
      }
    }
    return values.stream().distinct().toList();
  }

  @Test
  void holds_many_small_entries_and_tells_their_bytes() {
    StoreStats empty = store.stats();
    for (int batch = 0; batch < 20; batch++) {
      KvBatch entries = new KvBatch();
      for (int i = 0; i < 1000; i++) {
        entries.put(bytes("key%07d".formatted(i * 20 + batch)), bytes("a value of 20 bytes."));
      }
      store.write(entries);
    }

    StoreStats full = store.stats();
    assertThat(full.entries()).isEqualTo(20_000);
    assertThat(full.usedBytes() - empty.usedBytes()).isBetween(20_000L * 30, 20_000L * 300);
    assertThat(full.diskBytes()).isGreaterThanOrEqualTo(full.usedBytes());
    assertThat(keys(KvRange.all())).hasSize(20_000).isSorted();
    store.truncate();
    assertThat(store.stats().entries()).isZero();
  }

  @Test
  void a_snapshot_outlives_the_closing_of_its_store() {
    put("a", "1");
    try (KvSnapshot snapshot = store.snapshot()) {
      store.close();

      assertThat(snapshot.get(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(keys(snapshot, KvRange.all())).containsExactly("a");
    }
  }

  @Test
  void refuses_everything_after_it_was_closed() {
    put("a", "1");
    store.close();

    assertThatThrownBy(() -> store.snapshot()).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> put("b", "2")).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> store.truncate()).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> store.stats()).isInstanceOf(StoreClosedException.class);
    store.close();
  }
}
