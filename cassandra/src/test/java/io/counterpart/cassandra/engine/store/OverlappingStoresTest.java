package io.counterpart.cassandra.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverlappingStoresTest {
  private static final PurgeRule NEVER = new PurgeRule(0, 2_000_000_000L, key -> true);

  private final KvEngine engine =
      new KvEngine() {
        @Override
        public KvStore open(StorePlace place) {
          return new MemoryStore();
        }
      };

  @TempDir private Path directory;
  private TableMetadata table;
  private Generations own;
  private Generations former;
  private OverlappingStores stores;

  @BeforeEach
  void open() {
    table = OfflineStores.pairs();
    own = opened("own");
    former = opened("former");
    stores = new OverlappingStores(own);
    stores.setOthers(List.of(former));
  }

  private Generations opened(String name) {
    return OfflineStores.opened(directory, name, engine, table);
  }

  @Test
  void a_row_of_a_former_engine_is_one_that_a_deletion_may_hide() {
    absorb(own, 2);
    assertThat(stores.mayHave(key(1))).isFalse();
    assertThat(stores.hasMore()).isFalse();
    assertThat(stores.bounds().minTimestamp()).isEqualTo(2);

    absorb(former, 1);

    assertThat(stores.mayHave(key(1))).isTrue();
    assertThat(stores.mayHave(key(2))).isTrue();
    assertThat(stores.hasMore()).isTrue();
    assertThat(stores.bounds().minTimestamp()).isEqualTo(1);
    assertThat(own.bounds().minTimestamp()).isEqualTo(2);
  }

  @Test
  void stores_that_are_frozen_count_until_they_are_dropped() {
    absorb(former, 1);
    List<Generation> frozen = former.freeze();
    assertThat(stores.mayHave(key(1))).isTrue();

    former.drop(frozen);

    assertThat(stores.mayHave(key(1))).isFalse();
    assertThat(stores.hasMore()).isFalse();
  }

  @Test
  void a_store_that_is_closed_meanwhile_may_have_what_a_deletion_hides() {
    absorb(former, 1);

    former.close();

    assertThat(stores.mayHave(key(1))).isTrue();
    assertThat(stores.mayHave(key(2))).isTrue();
  }

  @Test
  void a_table_that_is_gone_from_its_former_engine_has_its_own_stores_alone() {
    absorb(former, 1);

    stores.setOthers(List.of());

    assertThat(stores.mayHave(key(1))).isFalse();
    assertThat(stores.hasMore()).isFalse();
    assertThat(stores.bounds()).isEqualTo(own.bounds());
  }

  private DecoratedKey key(int key) {
    return table.partitioner.decorateKey(ByteBufferUtil.bytes(key));
  }

  private void absorb(Generations into, int key) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, key).timestamp(key).nowInSec(1_000_000_000L);
    update.row().add("v", key);
    into.absorb(List.of(update.build()), () -> NEVER);
  }
}
