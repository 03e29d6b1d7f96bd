package io.counterpart.cassandra.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What steps of a sweep take out of a store, and what they leave. */
class StoreSweepTest {
  private static final long NOW = 2_000_000_000L;
  private static final long LONG_AGO = 1_000_000_000L;
  private static final long LARGE = 1L << 20;

  private static final PurgeRule NEVER = new PurgeRule(0, NOW, key -> true);
  private static final PurgeRule ALWAYS = new PurgeRule(NOW, NOW, key -> false);

  private final CutOff engine = new CutOff();
  private TableMetadata table;
  private TableStore store;

  @BeforeEach
  void open() {
    table =
        OfflineStores.table(
            "CREATE TABLE t (pk int, ck int, s int static, v int, PRIMARY KEY (pk, ck))");
    // a batch for each row
    store = OfflineStores.store(engine, table, 1);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void what_has_expired_goes_without_a_write_and_what_lives_stays() {
    for (int pk = 0; pk < 5; pk++) {
      absorb(expiring(pk, 0, LONG_AGO), expiring(pk, 1, LONG_AGO));
    }
    absorb(expiring(1, 2, NOW), row(2, 2, 10));

    assertThat(walk(LARGE, ALWAYS)).isEqualTo(3 * 3 + 2 * 2);

    assertThat(store.state().partitions()).isEqualTo(2);
    assertThat(entries()).isEqualTo(2 + 2);
    assertThat(rows(1)).containsExactly(2);
    assertThat(rows(2)).containsExactly(2);
    assertThat(walk(LARGE, ALWAYS)).as("again").isZero();
  }

  @Test
  void so_does_it_where_the_header_has_the_row() {
    table = OfflineStores.table("CREATE TABLE single (pk int PRIMARY KEY, v int)");
    store = OfflineStores.store(new MemoryStore(), table);
    for (int pk = 0; pk < 4; pk++) {
      PartitionUpdate.SimpleBuilder update = at(pk, 10).nowInSec(pk < 3 ? LONG_AGO : NOW).ttl(60);
      update.row().add("v", 1);
      absorb(update.build());
    }

    assertThat(walk(100, ALWAYS)).isEqualTo(3);

    assertThat(store.state().partitions()).isEqualTo(1);
    assertThat(store.contains(at(3, 10).build().partitionKey())).isTrue();
  }

  @Test
  void a_deletion_stays_while_what_it_hides_may_be_elsewhere() {
    absorb(deletion(1, 20), rowDeletion(2, 0, 20));

    assertThat(walk(LARGE, new PurgeRule(NOW, NOW, key -> true))).isZero();
    assertThat(store.state().partitions()).isEqualTo(2);

    DecoratedKey first = deletion(1, 20).partitionKey();
    walk(LARGE, new PurgeRule(NOW, NOW, key -> key.equals(first)));
    assertThat(store.contains(first)).isTrue();
    assertThat(store.state().partitions()).isEqualTo(1);
  }

  @Test
  void a_deletion_stays_within_its_grace() {
    absorb(deletion(1, 20));

    assertThat(walk(LARGE, new PurgeRule(LONG_AGO, NOW, key -> false))).isZero();
    assertThat(walk(LARGE, new PurgeRule(LONG_AGO + 1, NOW, key -> false))).isEqualTo(1);
  }

  @Test
  void a_deletion_stays_while_a_replay_would_bring_what_it_hides() {
    absorb(deletion(1, 20));

    assertThat(walk(LARGE, new PurgeRule(NOW, NOW, key -> false, () -> 20))).isZero();
    assertThat(walk(LARGE, new PurgeRule(NOW, NOW, key -> false, () -> 21))).isEqualTo(1);
  }

  @Test
  void a_large_partition_takes_many_steps_and_goes_as_a_whole() {
    PartitionUpdate.SimpleBuilder expired = at(1, 10).ttl(60);
    PartitionUpdate.SimpleBuilder mixed = at(2, 10);
    expired.row().add("s", 1);
    for (int ck = 0; ck < 40; ck++) {
      expired.row(ck).add("v", 1);
      mixed.row(ck).add("v", 1);
    }
    absorb(expired.build(), mixed.build());
    absorb(deletedRange(2, 10, 30, 20));

    int steps = 0;
    SweepStep.Position from = SweepStep.Position.BEGIN;
    while (from != null) {
      from = store.sweep(from, upTo(300), ALWAYS).next();
      steps++;
    }

    assertThat(steps).isGreaterThan(10);
    assertThat(store.contains(expired.build().partitionKey())).isFalse();
    assertThat(rows(2)).hasSize(19);
    assertThat(ranges(2)).isZero();
    assertThat(store.state().partitions()).isEqualTo(1);
  }

  /** The first batch of a deletion has the deletion, and hides what later ones remove. */
  @Test
  void what_a_deletion_that_was_cut_off_has_left_does_not_come_back() {
    PartitionUpdate.SimpleBuilder rows = at(1, 10);
    for (int ck = 0; ck < 20; ck++) {
      rows.row(ck).add("v", 1);
    }
    absorb(rows.build());
    engine.batchesLeft = 3;
    assertThatThrownBy(() -> absorb(deletion(1, 20))).isInstanceOf(StoreException.class);
    engine.batchesLeft = Integer.MAX_VALUE;
    assertThat(entries()).as("hidden rows").isGreaterThan(10);
    assertThat(rows(1)).isEmpty();

    SweepStep.Position from = SweepStep.Position.BEGIN;
    while (from != null) {
      from = store.sweep(from, upTo(300), ALWAYS).next();
      assertThat(rows(1)).isEmpty();
    }

    assertThat(entries()).isZero();
    assertThat(store.isEmpty()).isTrue();
  }

  @Test
  void a_deletion_that_came_during_the_walk_stays_until_the_next() {
    for (int ck = 0; ck < 10; ck++) {
      absorb(row(1, ck, 10));
    }
    // some rows behind it, of which the deletion removes the first
    SweepStep.Position middle = store.sweep(SweepStep.Position.BEGIN, upTo(500), ALWAYS).next();
    assertThat(middle).isNotNull();
    engine.batchesLeft = 1;
    assertThatThrownBy(() -> absorb(deletion(1, 20))).isInstanceOf(StoreException.class);
    engine.batchesLeft = Integer.MAX_VALUE;

    assertThat(store.sweep(middle, upTo(LARGE), ALWAYS).next()).isNull();

    assertThat(rows(1)).isEmpty();
    walk(LARGE, ALWAYS);
    assertThat(store.isEmpty()).isTrue();
    assertThat(entries()).isZero();
  }

  @Test
  void a_row_that_came_behind_the_walk_keeps_its_header() {
    absorb(expiring(1, 5, LONG_AGO), expiring(1, 6, LONG_AGO), expiring(1, 7, LONG_AGO));
    SweepStep.Position middle = store.sweep(SweepStep.Position.BEGIN, upTo(200), ALWAYS).next();
    assertThat(middle).isNotNull();
    absorb(row(1, 0, 10));

    assertThat(store.sweep(middle, upTo(LARGE), ALWAYS).next()).isNull();

    assertThat(rows(1)).containsExactly(0);
    assertThat(store.state().partitions()).isEqualTo(1);
  }

  @Test
  void a_reader_from_before_reads_on() {
    absorb(expiring(1, 0, LONG_AGO), expiring(1, 1, LONG_AGO), row(1, 2, 10));
    UnfilteredRowIterator reader = read(1);
    assertThat(reader.next()).isNotNull();

    walk(1, ALWAYS);

    assertThat(count(reader)).isEqualTo(2);
    assertThat(count(read(1))).isEqualTo(1);
  }

  private static SweepStep.Limit upTo(long bytes) {
    return new SweepStep.Limit(bytes, Long.MAX_VALUE, () -> 0);
  }

  @Test
  void a_step_ends_when_it_has_taken_long_and_the_next_one_goes_on() {
    absorb(deletion(1, 10), deletion(2, 10), deletion(3, 10));
    AtomicLong clock = new AtomicLong();
    SweepStep.Limit slow = new SweepStep.Limit(LARGE, 1, clock::incrementAndGet);

    SweepStep first = store.sweep(SweepStep.Position.BEGIN, slow, ALWAYS);

    assertThat(store.state().partitions()).isEqualTo(2);
    assertThat(store.sweep(first.next(), upTo(LARGE), ALWAYS).next()).isNull();
    assertThat(store.state().partitions()).isZero();
  }

  @Test
  void a_step_waits_for_no_writer() throws Exception {
    absorb(deletion(1, 10));
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    PartitionUpdate last = deletion(3, 10);
    // the writer looks whether the next partition belongs to its batch
    Iterable<PartitionUpdate> delta =
        () ->
            Stream.of(deletion(2, 10), last)
                .peek(
                    each -> {
                      if (each == last) {
                        hold(began, goOn);
                      }
                    })
                .iterator();
    CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> store.absorb(delta, NEVER));
    assertThat(began.await(10, TimeUnit.SECONDS)).isTrue();

    SweepStep step =
        CompletableFuture.supplyAsync(
                () -> store.sweep(SweepStep.Position.BEGIN, upTo(LARGE), ALWAYS))
            .get(10, TimeUnit.SECONDS);

    assertThat(step.next()).isSameAs(SweepStep.Position.BEGIN);
    assertThat(step.changes()).isZero();
    goOn.countDown();
    writing.get(10, TimeUnit.SECONDS);
  }

  private static void hold(CountDownLatch began, CountDownLatch goOn) {
    began.countDown();
    try {
      assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Changes of a whole walk. */
  private int walk(long stepBytes, PurgeRule rule) {
    int changes = 0;
    SweepStep.Position from = SweepStep.Position.BEGIN;
    while (from != null) {
      SweepStep step = store.sweep(from, upTo(stepBytes), rule);
      changes += step.changes();
      from = step.next();
    }
    return changes;
  }

  private void absorb(PartitionUpdate... updates) {
    for (PartitionUpdate update : updates) {
      store.absorb(List.of(update), NEVER);
    }
  }

  private PartitionUpdate.SimpleBuilder at(int pk, long timestamp) {
    return PartitionUpdate.simpleBuilder(table, pk).timestamp(timestamp).nowInSec(LONG_AGO);
  }

  private PartitionUpdate row(int pk, int ck, long timestamp) {
    PartitionUpdate.SimpleBuilder update = at(pk, timestamp);
    update.row(ck).add("v", 1);
    return update.build();
  }

  /**
   * @param from when it begins to expire
   */
  private PartitionUpdate expiring(int pk, int ck, long from) {
    PartitionUpdate.SimpleBuilder update = at(pk, 10).nowInSec(from).ttl(60);
    update.row(ck).add("v", 1);
    return update.build();
  }

  private PartitionUpdate deletion(int pk, long timestamp) {
    return at(pk, timestamp).delete().build();
  }

  private PartitionUpdate rowDeletion(int pk, int ck, long timestamp) {
    PartitionUpdate.SimpleBuilder update = at(pk, timestamp);
    update.row(ck).delete();
    return update.build();
  }

  private PartitionUpdate deletedRange(int pk, int from, int to, long timestamp) {
    PartitionUpdate.SimpleBuilder update = at(pk, timestamp);
    update.addRangeTombstone().start(from).end(to);
    return update.build();
  }

  private UnfilteredRowIterator read(int pk) {
    UnfilteredRowIterator rows =
        store.rows(row(pk, 0, 0).partitionKey(), Slices.ALL, ColumnFilter.all(table), false);
    assertThat(rows).isNotNull();
    return rows;
  }

  private static int count(UnfilteredRowIterator rows) {
    int count = 0;
    try (rows) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }

  /** Clusterings of a partition's rows that a client sees. */
  private List<Integer> rows(int pk) {
    UnfilteredRowIterator stored =
        store.rows(row(pk, 0, 0).partitionKey(), Slices.ALL, ColumnFilter.all(table), false);
    List<Integer> rows = new ArrayList<>();
    if (stored != null) {
      try (RowIterator alive = UnfilteredRowIterators.filter(stored, NOW)) {
        alive.forEachRemaining(row -> rows.add(row.clustering().bufferAt(0).duplicate().getInt()));
      }
    }
    return rows;
  }

  /** Bounds of range deletions. */
  private int ranges(int pk) {
    int ranges = 0;
    try (UnfilteredRowIterator rows = read(pk)) {
      while (rows.hasNext()) {
        ranges += rows.next().isRangeTombstoneMarker() ? 1 : 0;
      }
    }
    return ranges;
  }

  /** Headers and rows in the store. */
  private int entries() {
    int entries = 0;
    try (KvSnapshot snapshot = engine.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.of(EntryKeys.FIRST, null))) {
      while (cursor.next()) {
        entries++;
      }
    }
    return entries;
  }

  /** A store that takes so many batches and then fails. */
  private static final class CutOff implements KvStore {
    private final MemoryStore store = new MemoryStore();
    private int batchesLeft = Integer.MAX_VALUE;

    @Override
    public KvSnapshot snapshot() {
      return store.snapshot();
    }

    @Override
    public void write(KvBatch batch) {
      if (batchesLeft-- <= 0) {
        throw new StoreException("cut off");
      }
      store.write(batch);
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
}
