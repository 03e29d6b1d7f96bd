package io.counterpart.cassandra.engine.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.store.OfflineStores;
import java.util.List;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;

class PartitionUpdatesTest {

  private static TableMetadata table() {
    return OfflineStores.pairs();
  }

  private static PartitionUpdate update(TableMetadata table, int key, String column, int value) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, key).timestamp(10 + value).nowInSec(1_000);
    update.row().add(column, value);
    return update.build();
  }

  private static int value(Partition partition, TableMetadata table, String column) {
    return Int32Type.instance.compose(
        partition
            .getRow(Clustering.EMPTY)
            .getCell(table.getColumn(ColumnIdentifier.getInterned(column, true)))
            .buffer());
  }

  @Test
  void two_of_a_partition_are_one_and_the_newer_cell_wins() {
    TableMetadata table = table();

    List<Partition> merged =
        PartitionUpdates.byPartition(
            List.of(update(table, 1, "v", 6), update(table, 2, "v", 3), update(table, 1, "v", 5)));

    assertThat(merged).hasSize(2);
    assertThat(merged).isSortedAccordingTo((a, b) -> a.partitionKey().compareTo(b.partitionKey()));
    assertThat(merged.stream().map(partition -> value(partition, table, "v")).sorted())
        .containsExactly(3, 6);
  }

  @Test
  void a_column_that_only_the_later_update_knows_stays() {
    TableMetadata before = table();
    TableMetadata after =
        before
            .unbuild()
            .addRegularColumn(ColumnIdentifier.getInterned("w", true), Int32Type.instance)
            .build();

    Partition merged =
        PartitionUpdates.byPartition(List.of(update(before, 1, "v", 5), update(after, 1, "w", 7)))
            .get(0);

    assertThat(value(merged, after, "v")).isEqualTo(5);
    assertThat(value(merged, after, "w")).isEqualTo(7);
  }
}
