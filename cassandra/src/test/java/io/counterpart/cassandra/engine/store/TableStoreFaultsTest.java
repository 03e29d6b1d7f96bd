package io.counterpart.cassandra.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.lang.reflect.Method;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes whose end nobody knows, columns that go, stores of other nodes. */
class TableStoreFaultsTest {
  private static final PurgeRule NEVER = new PurgeRule(0, 2_000_000_000L, key -> true);
  private static final PurgeRule ALWAYS =
      new PurgeRule(2_000_000_000L, 2_000_000_000L, key -> false);
  private static final SweepStep.Limit STEP = new SweepStep.Limit(300, Long.MAX_VALUE, () -> 0);

  private static TableMetadata table() {
    return OfflineStores.table(
        "CREATE TABLE t (pk int, ck int, v int, w int, PRIMARY KEY (pk, ck))");
  }

  /** Without a row marker, as an UPDATE writes it. */
  private static PartitionUpdate cell(TableMetadata table, String column, long timestamp) {
    return cell(table, 1, column, timestamp);
  }

  private static PartitionUpdate cell(TableMetadata table, int pk, String column, long timestamp) {
    Row.Builder row = BTreeRow.unsortedBuilder();
    row.newRow(Clustering.make(ByteBufferUtil.bytes(7)));
    row.addCell(
        BufferCell.live(
            table.getColumn(ColumnIdentifier.getInterned(column, true)),
            timestamp,
            ByteBufferUtil.bytes(5)));
    return PartitionUpdate.singleRowUpdate(
        table, table.partitioner.decorateKey(ByteBufferUtil.bytes(pk)), row.build());
  }

  private static int rows(TableStore store, TableMetadata table, DecoratedKey key) {
    UnfilteredRowIterator rows = store.rows(key, Slices.ALL, ColumnFilter.all(table), false);
    if (rows == null) {
      return 0;
    }
    int count = 0;
    try (rows) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }

  /** Rows that a client sees. */
  private static int alive(TableStore store, TableMetadata table, DecoratedKey key) {
    int count = 0;
    try (RowIterator rows =
        UnfilteredRowIterators.filter(
            store.rows(key, Slices.ALL, ColumnFilter.all(table), false), 2_000_000_000L)) {
      for (; rows.hasNext(); rows.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void a_row_whose_columns_were_dropped_is_no_row() {
    TableMetadata before = table();
    KvStore kept = new MemoryStore();
    DecoratedKey key = cell(before, "v", 10).partitionKey();
    OfflineStores.store(kept, before).absorb(List.of(cell(before, "v", 10)), NEVER);
    TableMetadata after =
        before
            .unbuild()
            .removeRegularOrStaticColumn(
                before.getColumn(ColumnIdentifier.getInterned("v", true)).name)
            .recordColumnDrop(before.getColumn(ColumnIdentifier.getInterned("v", true)), 1000)
            .build();
    TableStore store = OfflineStores.store(kept, after);

    assertThat(rows(store, after, key)).isZero();
    PartitionUpdate.SimpleBuilder deletion = at(after, 20);
    deletion.addRangeTombstone().start(0).end(9);
    store.absorb(List.of(deletion.build()), NEVER);
    assertThat(store.stats().entries()).as("state and header").isEqualTo(2);
    store.absorb(List.of(cell(after, "w", 30)), NEVER);
    assertThat(rows(store, after, key)).isPositive();
  }

  @Test
  void a_column_that_comes_while_a_read_begins_does_not_fail_the_read() {
    TableMetadata before = table();
    ColumnMetadata v = before.getColumn(ColumnIdentifier.getInterned("v", true));
    TableMetadata after =
        before.unbuild().addRegularColumn(ColumnIdentifier.getInterned("x", true), v.type).build();
    TableMetadataRef metadata = TableMetadataRef.forOfflineTools(before);
    Faulty faulty = new Faulty();
    TableStore store = new TableStore(faulty, metadata, OfflineStores.HOST);
    PartitionUpdate update = cell(before, "v", 10);
    store.absorb(List.of(update), NEVER);
    faulty.beforeSnapshot =
        () -> {
          alter(metadata, after);
          store.absorb(List.of(cell(after, "x", 20)), NEVER);
        };

    assertThat(rows(store, before, update.partitionKey())).isEqualTo(1);
  }

  private static void alter(TableMetadataRef metadata, TableMetadata to) {
    try {
      Method set = TableMetadataRef.class.getDeclaredMethod("set", TableMetadata.class);
      set.setAccessible(true);
      set.invoke(metadata, to);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_write_that_failed_but_happened_is_not_forgotten() {
    TableMetadata table = table();
    Faulty faulty = new Faulty();
    TableStore store = OfflineStores.store(faulty, table);
    PartitionUpdate update = cell(table, "v", 10);
    faulty.failsAfterwards = true;
    assertThatThrownBy(() -> store.absorb(List.of(update), NEVER))
        .isInstanceOf(StoreException.class);
    assertThat(store.isEmpty()).as("readers must look").isFalse();
    assertThat(rows(store, table, update.partitionKey())).isEqualTo(1);

    faulty.failsAfterwards = false;
    store.absorb(List.of(cell(table, "w", 20)), NEVER);

    assertThat(store.state().partitions()).isEqualTo(1);
    assertThat(store.state().minTimestamp()).isEqualTo(10);
    assertThat(OfflineStores.store(faulty, table).state()).isEqualTo(store.state());
  }

  @Test
  void a_write_that_failed_and_did_not_happen_leaves_no_trace() {
    TableMetadata table = table();
    Faulty faulty = new Faulty();
    TableStore store = OfflineStores.store(faulty, table);
    faulty.failsBefore = true;
    assertThatThrownBy(() -> store.absorb(List.of(cell(table, "v", 10)), NEVER))
        .isInstanceOf(StoreException.class);
    faulty.failsBefore = false;

    store.advance(new CommitLogPosition(7, 11));

    assertThat(store.isEmpty()).isTrue();
    assertThat(store.state().absorbed()).isEqualTo(new CommitLogPosition(7, 11));
  }

  @Test
  void a_position_in_another_node_s_commit_log_means_nothing() {
    TableMetadata table = table();
    KvStore memory = new MemoryStore();
    TableStore store = OfflineStores.store(memory, table);
    store.absorb(List.of(cell(table, "v", 10)), NEVER);
    store.advance(new CommitLogPosition(7, 11));

    StoredState elsewhere =
        new TableStore(memory, TableMetadataRef.forOfflineTools(table), new UUID(3, 4)).state();

    assertThat(elsewhere.absorbed()).isEqualTo(CommitLogPosition.NONE);
    assertThat(elsewhere.partitions()).isEqualTo(1);
  }

  /** Else the next state would not count what comes late, and an emptied one would hide it. */
  @Test
  void a_write_that_failed_and_is_late_is_waited_for() {
    TableMetadata table = table();
    Faulty faulty = new Faulty();
    TableStore store = OfflineStores.store(faulty, table);
    faulty.isLate = true;
    assertThatThrownBy(() -> store.absorb(List.of(cell(table, 1, "v", 10)), NEVER))
        .isInstanceOf(StoreAwayException.class);
    faulty.isLate = false;

    store.absorb(List.of(cell(table, 2, "v", 20)), NEVER);

    assertThat(store.state().partitions()).isEqualTo(2);
    assertThat(OfflineStores.store(faulty, table).state()).isEqualTo(store.state());
  }

  /** Its first batch hides what the later ones remove, so it must not go before they have. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_a_deletion_that_was_cut_off_has_left_does_not_come_back(boolean whole) {
    TableMetadata table = table();
    Faulty faulty = new Faulty();
    TableStore store = OfflineStores.store(faulty, table, 300);
    PartitionUpdate.SimpleBuilder rows = at(table, 10);
    PartitionUpdate.SimpleBuilder deletion = at(table, 20);
    for (int ck = 0; ck < 20; ck++) {
      rows.row(ck).add("v", 1);
    }
    if (whole) {
      deletion.delete();
    } else {
      deletion.addRangeTombstone().start(0).end(19);
    }
    PartitionUpdate stored = rows.build();
    store.absorb(List.of(stored), NEVER);
    faulty.batchesLeft = 2;
    assertThatThrownBy(() -> store.absorb(List.of(deletion.build()), NEVER))
        .isInstanceOf(StoreException.class);
    faulty.batchesLeft = Integer.MAX_VALUE;
    assertThat(store.stats().entries()).as("hidden rows").isGreaterThan(10);

    PartitionUpdate.SimpleBuilder another = at(table, 30);
    another.row(99).add("v", 1);
    store.absorb(List.of(another.build()), ALWAYS);

    assertThat(rows(store, table, stored.partitionKey())).isEqualTo(1);
    assertThat(store.stats().entries()).as("state, header and row").isEqualTo(3);
  }

  /** The merge that finishes it may be cut off as well, and comes into effect as a whole. */
  @Test
  void a_deletion_that_was_cut_off_twice_is_finished_by_a_third_merge_or_a_sweep() {
    for (boolean swept : new boolean[] {false, true}) {
      TableMetadata table = table();
      Faulty faulty = new Faulty();
      TableStore store = OfflineStores.store(faulty, table, 300);
      PartitionUpdate.SimpleBuilder rows = at(table, 10);
      PartitionUpdate.SimpleBuilder deletion = at(table, 20);
      PartitionUpdate.SimpleBuilder second = at(table, 30);
      for (int ck = 0; ck < 20; ck++) {
        rows.row(ck).add("v", 1);
      }
      deletion.addRangeTombstone().start(0).end(14);
      second.row(98).add("v", 1);
      PartitionUpdate stored = rows.build();
      PartitionUpdate update = second.build();
      store.absorb(List.of(stored), NEVER);
      for (PartitionUpdate each : List.of(deletion.build(), update)) {
        faulty.batchesLeft = 1;
        assertThatThrownBy(() -> store.absorb(List.of(each), NEVER))
            .isInstanceOf(StoreException.class);
        faulty.batchesLeft = Integer.MAX_VALUE;
        assertThat(alive(store, table, stored.partitionKey())).isEqualTo(5);
      }

      if (swept) {
        for (SweepStep.Position from = SweepStep.Position.BEGIN; from != null; ) {
          from = store.sweep(from, STEP, NEVER).next();
        }
        assertThat(store.trySweep(SweepStep.Position.BEGIN, STEP, NEVER).changes()).isZero();
      }
      store.absorb(List.of(update), ALWAYS);

      assertThat(alive(store, table, stored.partitionKey())).isEqualTo(6);
      assertThat(store.stats().entries()).as("state, header and rows").isEqualTo(8);
      assertThat(store.state().partitions()).isEqualTo(1);
    }
  }

  private static PartitionUpdate.SimpleBuilder at(TableMetadata table, long timestamp) {
    return PartitionUpdate.simpleBuilder(table, 1).timestamp(timestamp).nowInSec(1_000_000_000L);
  }

  /** A store whose answers get lost. */
  private static final class Faulty implements KvStore {
    private final MemoryStore store = new MemoryStore();
    private boolean failsBefore;
    private boolean failsAfterwards;
    private boolean isLate;
    private int batchesLeft = Integer.MAX_VALUE;
    private @Nullable KvBatch onItsWay;
    private Runnable beforeSnapshot = () -> {};

    @Override
    public KvSnapshot snapshot() {
      Runnable once = beforeSnapshot;
      beforeSnapshot = () -> {};
      once.run();
      return store.snapshot();
    }

    @Override
    public void write(KvBatch batch) {
      if (isLate) {
        onItsWay = batch;
        throw new StoreAwayException("no answer");
      }
      settle();
      if (batchesLeft-- <= 0) {
        throw new StoreException("cut off");
      }
      if (!failsBefore) {
        store.write(batch);
      }
      if (failsBefore || failsAfterwards) {
        throw new StoreException("the answer is lost");
      }
    }

    @Override
    public void settle() {
      if (onItsWay != null) {
        store.write(onItsWay);
        onItsWay = null;
      }
    }

    @Override
    public StoreStats stats() {
      return store.stats();
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void a_cell_that_is_newer_than_the_drop_of_its_column_comes_back_with_it() {
    TableMetadata before = table();
    ColumnMetadata v = before.getColumn(ColumnIdentifier.getInterned("v", true));
    TableMetadata without =
        before.unbuild().removeRegularOrStaticColumn(v.name).recordColumnDrop(v, 1000).build();
    TableMetadata again = without.unbuild().addRegularColumn(v.name, v.type).build();
    KvStore kept = new MemoryStore();
    PartitionUpdate update = cell(before, "v", 2000);
    OfflineStores.store(kept, before).absorb(List.of(update), NEVER);

    TableStore store = OfflineStores.store(kept, without);
    store.absorb(List.of(cell(without, "w", 3000)), NEVER);
    store.sweep(SweepStep.Position.BEGIN, STEP, NEVER);

    try (UnfilteredRowIterator rows =
        OfflineStores.store(kept, again)
            .rows(update.partitionKey(), Slices.ALL, ColumnFilter.all(again), false)) {
      assertThat(((Row) rows.next()).getCell(again.getColumn(v.name))).isNotNull();
    }
  }
}
