package io.counterpart.cassandra.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OfflineStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.conformance.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrozenStoresTest {
  private static final PurgeRule NEVER = new PurgeRule(0, 2_000_000_000L, key -> true);

  @TempDir private Path directory;
  private Generations stores;
  private FrozenStores frozenStores;
  private List<Generation> spilled;

  @BeforeEach
  void spill() {
    TableMetadata table = OfflineStores.pairs();
    stores = OfflineStores.opened(directory, "engine", place -> new MemoryStore(), table);
    frozenStores = new FrozenStores(() -> Set.of(), stores);
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, 1).timestamp(1).nowInSec(1_000_000_000L);
    update.row().add("v", 1);
    stores.absorb(List.of(update.build()), () -> NEVER);
    spilled = stores.freeze();
  }

  /** As a disk on which no file can be made. */
  private Path hindered() throws IOException {
    return Files.createDirectory(directory.resolve("engine/1.retired.new"));
  }

  @Test
  void stores_go_at_once_if_no_compaction_runs() {
    frozenStores.drop(spilled);

    assertThat(stores.hasFrozen()).isFalse();
  }

  @Test
  void stores_whose_end_cannot_be_recorded_go_later() throws IOException {
    Path hindrance = hindered();
    frozenStores.drop(spilled);
    assertThat(stores.hasFrozen()).isTrue();
    Files.delete(hindrance);

    frozenStores.dropDue();

    assertThat(stores.hasFrozen()).isFalse();
  }

  @Test
  void the_end_of_a_table_is_tried_again() throws IOException {
    frozenStores.dropLater(spilled);
    Path hindrance = hindered();
    assertThatThrownBy(() -> frozenStores.dropAll()).isInstanceOf(StoreException.class);
    Files.delete(hindrance);

    frozenStores.dropAll();

    assertThat(stores.hasFrozen()).isFalse();
  }
}
