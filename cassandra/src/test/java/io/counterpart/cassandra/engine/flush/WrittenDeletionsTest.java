package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.store.OfflineStores;
import java.util.function.Consumer;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;

class WrittenDeletionsTest {
  private final WrittenDeletions deletions = new WrittenDeletions();

  @Test
  void rows_alone_are_none() {
    note(update -> update.row().add("v", 1));

    assertThat(deletions.any()).isFalse();
  }

  @Test
  void a_deleted_value_is_one_and_stays_known() {
    note(update -> update.row().delete("v"));
    note(update -> update.row().add("v", 1));

    assertThat(deletions.any()).isTrue();
  }

  @Test
  void a_deleted_row_is_one() {
    note(update -> update.row().delete());

    assertThat(deletions.any()).isTrue();
  }

  @Test
  void what_expires_is_one() {
    note(update -> update.ttl(10).row().add("v", 1));

    assertThat(deletions.any()).isTrue();
  }

  @Test
  void a_deleted_partition_is_one_with_statistics_and_without() {
    note(PartitionUpdate.SimpleBuilder::delete);
    WrittenDeletions bare = new WrittenDeletions();
    bare.note(
        PartitionUpdate.fullPartitionDelete(
            OfflineStores.pairs(), Int32Type.instance.decompose(1), 10, 1_000));

    assertThat(deletions.any()).isTrue();
    assertThat(bare.any()).isTrue();
  }

  private void note(Consumer<PartitionUpdate.SimpleBuilder> content) {
    TableMetadata table = OfflineStores.pairs();
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, 1).timestamp(10).nowInSec(1_000);
    content.accept(update);
    deletions.note(update.build());
  }
}
