package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.report.TableGauges;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.schema.CompactionParams;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.Indexes;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The lifetime of a table's metrics beyond its schema. */
class DroppedTablesTest {
  private static final CompactionParams STOCK =
      CompactionParams.create(SizeTieredCompactionStrategy.class, Map.of());
  private static final CompactionParams DECOUPLED =
      CompactionParams.create(DecoupledCompactionStrategy.class, Map.of());
  private static final IndexMetadata INDEX =
      IndexMetadata.fromSchemaMetadata("i", IndexMetadata.Kind.COMPOSITES, Map.of());

  private final DroppedTables listener = new DroppedTables();

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @AfterEach
  void leave_nothing() {
    listener.onDropTable(table("t", DECOUPLED), true);
    listener.onDropTable(table("other", DECOUPLED), true);
  }

  @Test
  void a_table_made_again_starts_at_zero() {
    TableCounters dropped = opened("t", 0);
    dropped.splitBytes.inc(7);
    listener.onDropTable(table("t", DECOUPLED), true);
    dropped.splitBytes.inc(1); // a rewrite that still runs

    assertThat(metrics()).isEmpty();
    TableCounters again = opened("t", 0);

    assertThat(again.splitBytes.getCount()).isZero();
    assertThat(again.compactedBeforeBytes.getCount()).isZero();
  }

  @Test
  void another_table_keeps_its_metrics() {
    opened("other", 0).splitBytes.inc(7);
    SortedSet<String> before = metrics();
    opened("t", 0);

    listener.onDropTable(table("t", DECOUPLED), true);

    assertThat(metrics()).isEqualTo(before).isNotEmpty();
    assertThat(opened("other", 0).splitBytes.getCount()).isEqualTo(7);
  }

  @Test
  void a_table_that_is_decoupled_again_does_not_count_what_a_stock_strategy_compacted() {
    opened("t", 100).splitBytes.inc(7);
    assertThat(opened("t", 150).compactedBeforeBytes.getCount()).isEqualTo(100);

    listener.onAlterTable(table("t", DECOUPLED), table("t", STOCK), false);
    assertThat(metrics()).isEmpty();
    TableCounters again = opened("t", 900);
    listener.onAlterTable(table("t", STOCK), table("t", DECOUPLED), false);

    assertThat(again.splitBytes.getCount()).isZero();
    assertThat(again.compactedBeforeBytes.getCount()).isEqualTo(900);
    assertThat(metrics()).isNotEmpty();
  }

  @Test
  void options_change_without_a_loss() {
    opened("t", 0).splitBytes.inc(7);
    CompactionParams changed =
        CompactionParams.create(DecoupledCompactionStrategy.class, Map.of("runs", "3"));

    listener.onAlterTable(table("t", DECOUPLED), table("t", changed), false);

    assertThat(opened("t", 0).splitBytes.getCount()).isEqualTo(7);
  }

  @Test
  void a_dropped_index_takes_its_counters_along() {
    TableMetadata indexed = table("t", DECOUPLED).unbuild().indexes(Indexes.of(INDEX)).build();
    opened("t", 0);
    SortedSet<String> before = metrics();
    new TableCounters("ks", indexed.indexTableName(INDEX), 0);

    listener.onAlterTable(indexed, table("t", DECOUPLED), false);

    assertThat(metrics()).isEqualTo(before);
  }

  /** What a strategy does when it is made. */
  private static TableCounters opened(String table, long compactedBytes) {
    TableGauges.register("ks", table);
    return new TableCounters("ks", table, compactedBytes);
  }

  private static SortedSet<String> metrics() {
    SortedSet<String> names = new TreeSet<>(CassandraMetricsRegistry.Metrics.getNames());
    names.removeIf(name -> !name.contains("Counterpart"));
    return names;
  }

  private static TableMetadata table(String name, CompactionParams compaction) {
    return TableMetadata.builder("ks", name, TableId.fromUUID(new UUID(0, 1)))
        .partitioner(Murmur3Partitioner.instance)
        .addPartitionKeyColumn("k", UTF8Type.instance)
        .compaction(compaction)
        .build();
  }
}
