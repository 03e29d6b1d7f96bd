package io.counterpart.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.conformance.KvStoreConformance;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.Map;
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

  private static ServerTable table() {
    return new MapTable(new MemoryStore(), SHARED, 7);
  }
}
