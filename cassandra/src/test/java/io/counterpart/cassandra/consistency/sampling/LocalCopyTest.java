package io.counterpart.cassandra.consistency.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.direct.DirectMemtable;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalCopyTest {

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
  }

  /** The store may be on a server that does not answer, and a request waits meanwhile. */
  @Test
  void a_memtable_before_a_store_is_asked_for_what_is_in_memory_alone() {
    Memtable delta = memtable(Memtable.class, method -> null);
    DirectMemtable engine =
        memtable(
            DirectMemtable.class,
            method -> {
              if (!method.equals("inMemory")) {
                throw new AssertionError(method + " asks the store");
              }
              return delta;
            });
    TableMetadata table =
        TableMetadata.builder("ks", "t")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", Int32Type.instance)
            .addRegularColumn("v", UTF8Type.instance)
            .build();
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table, 1).timestamp(1);
    update.row().add("v", "x");

    assertThat(LocalCopy.has(List.of(engine), update.build())).isFalse();
  }

  /** Another client's clock may be ahead: its write may have come before this one. */
  @Test
  void a_later_write_of_another_column_does_not_show_a_write() {
    PartitionUpdate written = row(1, row -> row.add("v", "x"));

    assertThat(shows(row(2, row -> row.add("w", "y")), written)).isFalse();
    assertThat(shows(row(2, row -> row.add("tags", Set.of("a"))), written)).isFalse();
    assertThat(shows(row(1, row -> row.add("v", "x")), written)).isTrue();
    assertThat(shows(row(2, row -> row.add("v", "y")), written)).isTrue();
    assertThat(shows(row(2, row -> row.delete()), written)).isTrue();
  }

  @Test
  void a_later_write_of_the_static_row_does_not_show_a_write_of_a_row() {
    PartitionUpdate.SimpleBuilder both = update(2);
    both.row().noPrimaryKeyLivenessInfo().add("s", "y");
    both.row(5).timestamp(0).noPrimaryKeyLivenessInfo().add("v", "before");
    PartitionUpdate.SimpleBuilder written = update(1);
    written.row().noPrimaryKeyLivenessInfo().add("s", "x");

    PartitionUpdate there = both.build(); // a builder builds once
    assertThat(shows(there, row(1, row -> row.add("v", "x")))).isFalse();
    assertThat(shows(there, written.build())).isTrue();
  }

  @Test
  void what_replaces_a_collection_shows_it() {
    PartitionUpdate written = row(1, row -> row.add("tags", Set.of("a")));
    PartitionUpdate emptied = row(1, row -> row.add("tags", Set.of()));

    assertThat(shows(written, written)).isTrue();
    assertThat(shows(emptied, emptied)).isTrue();
    assertThat(shows(row(3, row -> row.add("tags", Set.of("b"))), written)).isTrue();
    assertThat(shows(row(3, row -> row.appendAll("tags", Set.of("b"))), written)).isFalse();
  }

  private static PartitionUpdate.SimpleBuilder update(long timestamp) {
    TableMetadata table =
        TableMetadata.builder("ks", "t")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", Int32Type.instance)
            .addClusteringColumn("c", Int32Type.instance)
            .addStaticColumn("s", UTF8Type.instance)
            .addRegularColumn("v", UTF8Type.instance)
            .addRegularColumn("w", UTF8Type.instance)
            .addRegularColumn("tags", SetType.getInstance(UTF8Type.instance, true))
            .build();
    return PartitionUpdate.simpleBuilder(table, 1).timestamp(timestamp);
  }

  /** An UPDATE of one row. */
  private static PartitionUpdate row(long timestamp, Consumer<Row.SimpleBuilder> change) {
    PartitionUpdate.SimpleBuilder update = update(timestamp);
    change.accept(update.row(5).noPrimaryKeyLivenessInfo());
    return update.build();
  }

  private static boolean shows(PartitionUpdate inMemory, PartitionUpdate written) {
    Memtable memtable =
        memtable(
            Memtable.class,
            method ->
                inMemory.unfilteredIterator(
                    ColumnFilter.all(inMemory.metadata()), Slices.ALL, false));
    return LocalCopy.has(List.of(memtable), written);
  }

  /** A memtable whose methods return what a function of their names does. */
  private static <T> T memtable(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.apply(method.getName())));
  }
}
