package io.counterpart.cassandra.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random updates in random flushes, against Cassandra's own merge of all updates. */
class TableStoreTest {
  private static final String ROWS =
      "CREATE TABLE rows (pk int, ck text, st int static, v int, m map<int, int>,"
          + " PRIMARY KEY (pk, ck)) WITH CLUSTERING ORDER BY (ck ";
  private static final String SINGLE = "CREATE TABLE single (pk int PRIMARY KEY, v int, w int)";
  private static final int PARTITIONS = 12;
  private static final int UPDATES = 600;

  private final long nowInSeconds = 2_000_000_000L;
  private final PurgeRule never = new PurgeRule(0, nowInSeconds, key -> true);

  @ParameterizedTest
  @ValueSource(strings = {"ASC", "DESC"})
  void reads_what_a_merge_of_all_updates_gives(String order) {
    compare(OfflineStores.table(ROWS + order + ")"), never, MergeBatch.MOST_BYTES);
  }

  @Test
  void reads_the_same_where_the_key_is_the_partition_key() {
    compare(OfflineStores.table(SINGLE), never, MergeBatch.MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ASC", "DESC"})
  void reads_the_same_while_deletions_are_purged(String order) {
    PurgeRule always = new PurgeRule(nowInSeconds, nowInSeconds, key -> false);
    compare(OfflineStores.table(ROWS + order + ")"), always, MergeBatch.MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ASC", "DESC"})
  void reads_the_same_where_one_deletion_is_many_batches(String order) {
    compare(OfflineStores.table(ROWS + order + ")"), never, 100);
    PurgeRule always = new PurgeRule(nowInSeconds, nowInSeconds, key -> false);
    compare(OfflineStores.table(ROWS + order + ")"), always, 100);
  }

  private void compare(TableMetadata table, PurgeRule rule, long mostBatchBytes) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    // purges are legal where nothing older comes later
    boolean ordered = rule.gcBefore() > 0;
    Map<DecoratedKey, List<PartitionUpdate>> model = new TreeMap<>();
    try (TableStore store = OfflineStores.store(new MemoryStore(), table, mostBatchBytes)) {
      SweepStep.Position swept = SweepStep.Position.BEGIN;
      for (int i = 0; i < UPDATES; ) {
        Map<DecoratedKey, PartitionUpdate> flush = new TreeMap<>();
        for (int n = 1 + random.nextInt(30); n > 0; n--, i++) {
          PartitionUpdate update = update(table, random, ordered ? 1000 + i : random.nextInt(5000));
          model.computeIfAbsent(update.partitionKey(), key -> new ArrayList<>()).add(update);
          flush.merge(
              update.partitionKey(), update, (a, b) -> PartitionUpdate.merge(List.of(a, b)));
        }
        boolean inParts = random.nextInt(4) == 0;
        if (inParts) {
          store.absorb(chunks(flush.values(), random), never);
        }
        if (!inParts || random.nextBoolean()) {
          store.absorb(flush.values(), rule);
        }
        if (random.nextInt(4) == 0) {
          store.absorb(flush.values(), never);
        }
        for (int n = random.nextInt(20); n > 0; n--) {
          swept = swept(seed, store, swept, 1 + random.nextInt(400), rule);
        }
        check(seed, table, store, model, random);
      }
    }
  }

  private static SweepStep.Position swept(
      long seed, TableStore store, SweepStep.Position from, long mostBytes, PurgeRule rule) {
    SweepStep.Limit limit = new SweepStep.Limit(mostBytes, Long.MAX_VALUE, () -> 0);
    int tried = store.trySweep(from, limit, rule).changes();
    SweepStep step = store.sweep(from, limit, rule);
    assertThat(step.changes()).as("seed %d", seed).isLessThanOrEqualTo(tried);
    SweepStep.Position next = step.next();
    return next == null ? SweepStep.Position.BEGIN : next;
  }

  /** Parts of partitions, as an sstable's are absorbed. */
  private static List<ImmutableBTreePartition> chunks(
      Collection<PartitionUpdate> partitions, Random random) {
    List<ImmutableBTreePartition> chunks = new ArrayList<>();
    for (PartitionUpdate partition : partitions) {
      try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
        new PartitionChunks(rows, 1 + random.nextInt(60)).forEachRemaining(chunks::add);
      }
    }
    return chunks;
  }

  private PartitionUpdate update(TableMetadata table, Random random, long timestamp) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, random.nextInt(PARTITIONS))
            .timestamp(timestamp)
            .nowInSec(1_000_000_000L);
    boolean single = table.comparator.size() == 0;
    int die = random.nextInt(20);
    if (die == 0) {
      return update.delete().build();
    }
    if (single) {
      if (die < 5) {
        update.row().delete();
      } else {
        update.row().add(random.nextBoolean() ? "v" : "w", random.nextInt(9));
      }
      return update.build();
    }
    String ck = ck(random);
    if (die < 3) {
      String longer = ck + (char) ('a' + random.nextInt(5));
      boolean descending = table.clusteringColumns().get(0).isReversedType();
      update.addRangeTombstone().start(descending ? longer : ck).end(descending ? ck : longer);
    } else if (die < 5) {
      update.row(ck).delete();
    } else if (die < 7) {
      update.row().add("st", random.nextInt(9));
    } else if (die < 10) {
      update.row(ck).appendAll("m", Map.of(random.nextInt(4), random.nextInt(9)));
    } else {
      update.row(ck).add("v", random.nextInt(9));
    }
    return update.build();
  }

  private static String ck(Random random) {
    return "abcdefgh".substring(random.nextInt(4), 4 + random.nextInt(4))
        + "x".repeat(random.nextInt(2));
  }

  private void check(
      long seed,
      TableMetadata table,
      TableStore store,
      Map<DecoratedKey, List<PartitionUpdate>> model,
      Random random) {
    for (DecoratedKey key : model.keySet()) {
      for (boolean reversed : new boolean[] {false, true}) {
        Slices slices = slices(table, random);
        ColumnFilter all = ColumnFilter.all(table);
        List<String> expected = new ArrayList<>();
        List<UnfilteredRowIterator> updates = new ArrayList<>();
        model.get(key).forEach(u -> updates.add(u.unfilteredIterator(all, slices, reversed)));
        expected.addAll(content(UnfilteredRowIterators.merge(updates)));
        UnfilteredRowIterator rows = store.rows(key, slices, all, reversed);

        assertThat(rows == null ? List.of() : content(rows))
            .as("%s %s reversed=%s, seed %d", key, slices, reversed, seed)
            .isEqualTo(expected);
      }
    }
    assertThat(scan(store)).as("seed %d", seed).isEqualTo(scan(model, ColumnFilter.all(table)));
    assertThat(store.state().partitions()).as("seed %d", seed).isEqualTo(headers(store));
  }

  private static Slices slices(TableMetadata table, Random random) {
    if (table.comparator.size() == 0 || random.nextInt(3) == 0) {
      return Slices.ALL;
    }
    Slices.Builder slices = new Slices.Builder(table.comparator);
    for (int i = 0; i <= random.nextInt(3); i++) {
      boolean exact = random.nextInt(3) == 0;
      String from = ck(random);
      Slice slice =
          Slice.make(
              ClusteringBound.create(table.comparator, true, exact || random.nextBoolean(), from),
              ClusteringBound.create(
                  table.comparator,
                  false,
                  exact || random.nextBoolean(),
                  exact ? from : ck(random)));
      if (!slice.isEmpty(table.comparator)) {
        slices.add(slice);
      }
    }
    return slices.build();
  }

  /** What a client sees, as text; an iterator without anything alive is as none. */
  private List<String> content(UnfilteredRowIterator rows) {
    List<String> content = new ArrayList<>();
    try (RowIterator alive = UnfilteredRowIterators.filter(rows, nowInSeconds)) {
      if (!alive.staticRow().isEmpty()) {
        content.add("static " + alive.staticRow().toString(alive.metadata(), true));
      }
      while (alive.hasNext()) {
        content.add(alive.next().toString(alive.metadata(), true));
      }
    }
    return content;
  }

  private static long headers(TableStore store) {
    long count = 0;
    try (UnfilteredPartitionIterator partitions = store.between(null, null)) {
      while (partitions.hasNext()) {
        partitions.next().close();
        count++;
      }
    }
    return count;
  }

  private Map<DecoratedKey, List<String>> scan(TableStore store) {
    Map<DecoratedKey, List<String>> scan = new LinkedHashMap<>();
    try (UnfilteredPartitionIterator partitions = store.between(null, null)) {
      while (partitions.hasNext()) {
        UnfilteredRowIterator rows = partitions.next();
        List<String> content = content(rows);
        if (!content.isEmpty()) {
          scan.put(rows.partitionKey(), content);
        }
      }
    }
    return scan;
  }

  private Map<DecoratedKey, List<String>> scan(
      Map<DecoratedKey, List<PartitionUpdate>> model, ColumnFilter all) {
    Map<DecoratedKey, List<String>> scan = new LinkedHashMap<>();
    model.forEach(
        (key, updates) -> {
          List<String> content =
              content(
                  UnfilteredRowIterators.merge(
                      updates.stream()
                          .map(u -> u.unfilteredIterator(all, Slices.ALL, false))
                          .toList()));
          if (!content.isEmpty()) {
            scan.put(key, content);
          }
        });
    return scan;
  }

  @Test
  void a_deletion_stays_while_a_replay_would_bring_what_it_hides() {
    TableMetadata table = OfflineStores.table(ROWS + "ASC)");
    long[] oldestLogged = {15};
    PurgeRule rule = new PurgeRule(nowInSeconds, nowInSeconds, key -> false, () -> oldestLogged[0]);
    try (TableStore store = OfflineStores.store(new MemoryStore(), table)) {
      store.absorb(List.of(deletion(table, 1, 20)), rule);
      store.absorb(List.of(rowDeletion(table, 1, 40)), rule);
      store.absorb(List.of(rowDeletion(table, 1, 50)), rule);
      DecoratedKey key = deletion(table, 1, 20).partitionKey();
      assertThat(partitionDeletion(store, table, key)).isEqualTo(20);

      oldestLogged[0] = 21;
      store.absorb(List.of(rowDeletion(table, 1, 60)), rule);

      assertThat(partitionDeletion(store, table, key)).isNotEqualTo(20);
    }
  }

  private static long partitionDeletion(TableStore store, TableMetadata table, DecoratedKey key) {
    try (UnfilteredRowIterator rows = store.rows(key, Slices.ALL, ColumnFilter.all(table), false)) {
      return rows == null ? Long.MIN_VALUE : rows.partitionLevelDeletion().markedForDeleteAt();
    }
  }

  @Test
  void a_single_write_gets_its_turn_between_the_batches_of_a_flush() {
    TableMetadata table = OfflineStores.table(ROWS + "ASC)");
    try (TableStore store = OfflineStores.store(new MemoryStore(), table, 1)) {
      PartitionUpdate single = at(table, 99, 10);
      AtomicBoolean isBetween = new AtomicBoolean();
      Iterator<Partition> flush =
          IntStream.range(0, 6)
              .<Partition>mapToObj(
                  key -> {
                    if (key == 2) {
                      Thread started = new Thread(() -> store.absorb(List.of(single), never));
                      started.start();
                      await().until(() -> started.getState() == Thread.State.WAITING);
                    }
                    if (key == 5) {
                      isBetween.set(store.contains(single.partitionKey()));
                    }
                    return at(table, key, 10);
                  })
              .iterator();

      store.absorb(() -> flush, never);

      assertThat(isBetween).isTrue();
      assertThat(store.state().partitions()).isEqualTo(7);
    }
  }

  @Test
  void purges_whole_partitions_and_counts_what_is_left() {
    TableMetadata table = OfflineStores.table(ROWS + "ASC)");
    PurgeRule always = new PurgeRule(nowInSeconds, nowInSeconds, key -> false);
    try (TableStore store = OfflineStores.store(new MemoryStore(), table)) {
      store.absorb(List.of(at(table, 1, 10), at(table, 2, 10)), always);
      assertThat(store.state().partitions()).isEqualTo(2);
      assertThat(store.state().minTimestamp()).isEqualTo(10);

      store.absorb(List.of(deletion(table, 1, 20)), always);
      assertThat(store.state().partitions()).as("the deletion itself stays").isEqualTo(2);
      store.absorb(List.of(rowDeletion(table, 1, 30)), always);
      store.absorb(List.of(rowDeletion(table, 1, 40)), always);

      assertThat(store.state().partitions()).isBetween(1L, 2L);
      store.truncated(5);
      assertThat(store.isEmpty()).isTrue();
    }
  }

  private static PartitionUpdate at(TableMetadata table, int pk, long timestamp) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, pk).timestamp(timestamp).nowInSec(1_000_000_000L);
    update.row("a").add("v", 1);
    return update.build();
  }

  private static PartitionUpdate deletion(TableMetadata table, int pk, long timestamp) {
    return PartitionUpdate.simpleBuilder(table, pk)
        .timestamp(timestamp)
        .nowInSec(1_000_000_000L)
        .delete()
        .build();
  }

  private static PartitionUpdate rowDeletion(TableMetadata table, int pk, long timestamp) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, pk).timestamp(timestamp).nowInSec(1_000_000_000L);
    update.row("a").delete();
    return update.build();
  }

  @Test
  void the_position_outlives_a_truncation_and_a_reopening() {
    TableMetadata table = OfflineStores.table(SINGLE);
    KvStore memory = new MemoryStore();
    TableStore store = OfflineStores.store(memory, table);
    store.advance(new CommitLogPosition(7, 11));
    store.advance(new CommitLogPosition(6, 99));
    store.truncated(5);

    StoredState reopened = OfflineStores.store(memory, table).state();

    assertThat(reopened.absorbed()).isEqualTo(new CommitLogPosition(7, 11));
    assertThat(reopened.truncatedAt()).isEqualTo(5);
    assertThat(reopened).isEqualTo(StoredState.decode(reopened.encode()));
  }

  @Test
  void damage_is_noticed_wherever_it_is() {
    TableMetadata table = OfflineStores.table(ROWS + "ASC)");
    KvStore memory = new MemoryStore();
    TableStore store = OfflineStores.store(memory, table);
    store.absorb(List.of(at(table, 1, 10), at(table, 2, 10)), never);
    DecoratedKey key = at(table, 1, 10).partitionKey();
    for (byte[] entry : keys(memory)) {
      byte[] value = valueOf(memory, entry);
      for (int i = 0; i < value.length; i++) {
        byte[] damaged = value.clone();
        damaged[i] ^= 1;
        memory.write(new KvBatch().put(entry, damaged));
        assertThatThrownBy(() -> readAll(memory, table)).isInstanceOf(StoreException.class);
      }
      memory.write(new KvBatch().put(entry, value));
    }
    assertThat(content(store.rows(key, Slices.ALL, ColumnFilter.all(table), false))).hasSize(1);
  }

  @Test
  void a_value_under_another_key_is_noticed() {
    TableMetadata table = OfflineStores.table(SINGLE);
    KvStore memory = new MemoryStore();
    TableStore store = OfflineStores.store(memory, table);
    store.absorb(List.of(single(table, 1), single(table, 2)), never);
    List<byte[]> keys = keys(memory);
    memory.write(new KvBatch().put(keys.get(1), valueOf(memory, keys.get(2))));

    assertThatThrownBy(() -> readAll(memory, table)).isInstanceOf(StoreException.class);
  }

  private static PartitionUpdate single(TableMetadata table, int pk) {
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table, pk).timestamp(10);
    update.row().add("v", 1);
    return update.build();
  }

  private void readAll(KvStore memory, TableMetadata table) {
    scan(OfflineStores.store(memory, table));
  }

  private static List<byte[]> keys(KvStore store) {
    List<byte[]> keys = new ArrayList<>();
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.all())) {
      while (cursor.next()) {
        keys.add(cursor.key());
      }
    }
    return keys;
  }

  private static byte[] valueOf(KvStore store, byte[] key) {
    try (KvSnapshot snapshot = store.snapshot()) {
      return Objects.requireNonNull(snapshot.get(key));
    }
  }
}
