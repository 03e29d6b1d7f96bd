package io.counterpart.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.conformance.KvStoreConformance;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolatileStoreConformanceTest extends KvStoreConformance {
  private static final int KEYS = 100;

  @Override
  protected KvStoreProvider provider() {
    return new MemoryProvider();
  }

  @Override
  protected Map<String, String> options() {
    return Map.of("memory", "1MiB", "volatile", "true");
  }

  @Test
  void is_empty_when_it_is_opened_again_and_says_so_before() {
    put("a", "1");
    store.close();

    store = engine().open(place("store"));

    assertThat(engine().isVolatile()).isTrue();
    assertThat(engine().location()).as("stores with LMDB are elsewhere").isEqualTo("volatile");
    assertThat(get("a")).isNull();
  }

  @Test
  void the_one_before_lmdb_is_not_volatile() {
    Map<String, String> options = new HashMap<>(Map.of("volatile", "false"));
    assertThat(provider().engine(options).isVolatile()).isFalse();
    assertThat(provider().engine(new HashMap<>()).isVolatile()).isFalse();
  }

  @Test
  void a_word_that_is_neither_true_nor_false_is_refused() {
    assertThatThrownBy(() -> provider().engine(new HashMap<>(Map.of("volatile", "yes"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'volatile' is 'yes', neither true nor false");
  }

  @Test
  void its_memory_does_not_grow_with_the_number_of_writes() {
    writeAll(0);
    long once = store.stats().diskBytes();
    for (int round = 1; round < 50; round++) {
      writeAll(round);
    }
    assertThat(store.stats().diskBytes()).isEqualTo(once);
    assertThat(store.stats().entries()).isEqualTo(KEYS);

    for (int key = 0; key < KEYS; key++) {
      store.write(new KvBatch().delete(bytes("key" + key)));
    }
    assertThat(store.stats().diskBytes()).isZero();
    assertThat(store.stats().usedBytes()).isZero();
  }

  @Test
  void a_snapshot_keeps_what_it_shows_until_it_is_closed() {
    writeAll(0);
    long once = store.stats().diskBytes();
    KvSnapshot old = store.snapshot();
    for (int round = 1; round < 10; round++) {
      writeAll(round);
    }
    assertThat(store.stats().diskBytes()).isGreaterThan(5 * once);
    assertThat(keys(old, KvRange.all())).hasSize(KEYS);
    assertThat(old.get(bytes("key7"))).isEqualTo(value(0));

    old.close();
    old.close();
    writeAll(10);

    assertThat(store.stats().diskBytes()).isEqualTo(once);
    assertThat(get("key7")).isEqualTo(text(10));
  }

  @Test
  void stores_of_one_configuration_share_the_memory() {
    KvEngine engine = engine();
    KvStore one = engine.open(place("one"));
    KvStore other = engine.open(place("other"));
    int half = 1 << 19;
    assertThat(one.hasRoomFor(half)).isTrue();

    other.write(new KvBatch().put(bytes("large"), new byte[half + 1]));
    assertThat(one.hasRoomFor(half)).isFalse();
    assertThat(one.hasRoomFor(half / 2)).isTrue();

    other.write(KvBatch.clearing());
    assertThat(one.hasRoomFor(half)).isTrue();
    other.write(new KvBatch().put(bytes("large"), new byte[half + 1]));
    other.close();
    assertThat(one.hasRoomFor(half)).isTrue();
    one.close();
  }

  private void writeAll(int round) {
    KvBatch batch = new KvBatch();
    for (int key = 0; key < KEYS; key++) {
      batch.put(bytes("key" + key), value(round));
    }
    store.write(batch);
  }

  private static byte[] value(int round) {
    return bytes(text(round));
  }

  private static String text(int round) {
    return "%05d".formatted(round);
  }
}
