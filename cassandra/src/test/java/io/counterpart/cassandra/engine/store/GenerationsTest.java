package io.counterpart.cassandra.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.engine.store.files.FolderFiles;
import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.cassandra.engine.store.files.StoreRemovals;
import io.counterpart.cassandra.engine.store.files.VolatileMark;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationsTest {
  private static final PurgeRule NEVER = new PurgeRule(0, 2_000_000_000L, key -> true);

  private final Directories directories = new Directories();
  @TempDir private Path directory;
  private TableMetadata table;
  private Generations stores;

  @BeforeEach
  void open() {
    table = OfflineStores.pairs();
    stores = opened();
  }

  private Generations opened() {
    return OfflineStores.opened(directory, "engine", directories, table);
  }

  @Test
  void what_is_absorbed_during_a_spill_outlives_it() {
    absorb(1);
    List<Generation> frozen = stores.freeze();
    absorb(2);
    assertThat(keys()).containsExactly(1, 2);
    assertThat(stores.hasFrozen()).isTrue();

    stores.drop(frozen);

    assertThat(keys()).containsExactly(2);
    assertThat(stores.hasFrozen()).isFalse();
    assertThat(directory.resolve("engine/1")).doesNotExist();
    assertThat(directory.resolve("engine/2")).exists();
  }

  @Test
  void a_spill_needs_no_room_in_a_full_store() {
    absorb(1);
    directories.isFull = true;

    assertThat(stores.freeze()).hasSize(1);
  }

  @Test
  void a_spill_that_fails_loses_nothing_and_the_next_one_takes_all() {
    absorb(1);
    stores.freeze();
    absorb(2);

    List<Generation> frozen = stores.freeze();
    absorb(3);

    assertThat(keys()).containsExactly(1, 2, 3);
    assertThat(frozen).hasSize(2);
    stores.drop(frozen);
    assertThat(keys()).containsExactly(3);
  }

  @Test
  void a_later_spill_leaves_out_what_an_earlier_one_has_brought_to_sstables() {
    absorb(1);
    List<Generation> first = stores.freeze();
    first.forEach(Generation::markSpilled);
    absorb(2);

    List<Generation> second = stores.freeze();

    assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);
    assertThat(keys()).as("readers may still need the first one").containsExactly(1, 2);
    assertThat(StoreSizes.of(second).partitions()).isEqualTo(1);
  }

  @Test
  void spills_of_empty_stores_open_no_further_ones() {
    assertThat(stores.freeze()).isEmpty();
    assertThat(stores.freeze()).isEmpty();

    assertThat(directory.resolve("engine"))
        .isDirectoryContaining("glob:**/1")
        .isDirectoryNotContaining("glob:**/2");
  }

  @Test
  void a_spill_waits_for_what_is_being_absorbed() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    directories.beforeWrite =
        () -> {
          writing.countDown();
          await(mayWrite);
        };
    CompletableFuture<Void> absorb = CompletableFuture.runAsync(() -> absorb(1));
    await(writing);
    CompletableFuture<List<Generation>> freeze = CompletableFuture.supplyAsync(stores::freeze);
    assertThatThrownBy(() -> freeze.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);

    mayWrite.countDown();
    absorb.get(10, TimeUnit.SECONDS);

    assertThat(freeze.get(10, TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  void a_restart_finds_all_generations_and_the_position() {
    absorb(1);
    stores.advance(new CommitLogPosition(3, 7));
    stores.freeze();
    absorb(2);
    stores.close();

    stores = opened();

    assertThat(keys()).containsExactly(1, 2);
    assertThat(stores.bounds().absorbed()).isEqualTo(new CommitLogPosition(3, 7));
    stores.drop(stores.freeze());
    assertThat(stores.bounds().absorbed()).isEqualTo(new CommitLogPosition(3, 7));
  }

  @Test
  void a_truncation_empties_all_and_once() {
    absorb(1);
    stores.freeze();
    absorb(2);
    stores.truncate(100);
    assertThat(keys()).isEmpty();

    absorb(3);
    stores.catchUp(100);
    stores.catchUp(Long.MIN_VALUE);

    assertThat(keys()).containsExactly(3);
  }

  @Test
  void a_truncation_that_was_cut_off_is_ended_at_the_next_start() {
    absorb(1);
    stores.freeze();
    absorb(2);
    stores.close();
    // the first store was emptied, then the process died
    try (TableStore first =
        new TableStore(
            directories.open(new StorePlace(directory.resolve("engine/1"), "ks", "t")),
            TableMetadataRef.forOfflineTools(table),
            OfflineStores.HOST)) {
      first.truncated(100);
    }

    stores = opened();
    assertThat(keys()).containsExactly(2);
    stores.catchUp(100);

    assertThat(keys()).isEmpty();
  }

  @Test
  void stores_of_another_engine_are_read_and_leave_with_the_next_spill() {
    absorb(1);
    stores.close();
    Generations next = OfflineStores.opened(directory, "next", directories, table);
    List<StoreFolder> folders =
        StoreFolder.in(directory).stream().filter(f -> f.engine().equals("engine")).toList();
    assertThat(folders).hasSize(1);
    next.adopt(folders.get(0), directories);
    stores = next;
    absorb(2);
    assertThat(keys()).containsExactly(1, 2);
    assertThat(next.hasAdopted()).isTrue();

    next.drop(next.freeze());

    assertThat(next.hasAdopted()).isFalse();
    assertThat(folders.get(0).path()).doesNotExist();
    absorb(3);
    assertThat(keys()).containsExactly(3);
  }

  @Test
  void without_an_engine_of_its_own_a_table_gives_back_what_is_left() {
    absorb(1);
    stores.close();
    Generations none =
        Generations.none(directory, TableMetadataRef.forOfflineTools(table), OfflineStores.HOST);
    none.adopt(StoreFolder.in(directory).get(0), directories);
    stores = none;
    assertThat(keys()).containsExactly(1);
    none.advance(new CommitLogPosition(1, 1));

    none.drop(none.freeze());

    assertThat(none.isEmpty()).isTrue();
    assertThat(StoreFolder.in(directory)).isEmpty();
  }

  @Test
  void a_store_whose_removal_was_cut_off_is_removed_at_the_next_start() {
    absorb(1);
    Generation old = stores.freeze().get(0);
    absorb(2);
    old.retire();
    stores.close();

    stores = opened();

    assertThat(keys()).containsExactly(2);
  }

  /** Its values may have been deleted, and the deletions purged. */
  @Test
  void a_store_that_cannot_be_removed_is_never_read_again() {
    absorb(1);
    List<Generation> frozen = stores.freeze();
    absorb(2);
    directories.isAway = true;
    stores.drop(frozen);
    assertThat(keys()).containsExactly(2);
    stores.close();

    stores = opened();

    assertThat(keys()).containsExactly(2);
    assertThat(directory.resolve("engine/1")).exists();
    stores.close();
    directories.isAway = false;
    stores = opened();
    assertThat(keys()).containsExactly(2);
    assertThat(directory.resolve("engine")).isDirectoryNotContaining("regex:.*/1.*");
  }

  /** Its server was away when the table came to it: no other engine may wait for that later. */
  @Test
  void a_first_store_that_cannot_be_opened_counts_as_none() {
    KvEngine away =
        place -> {
          // as engines do before they ask their server
          directories.open(place);
          throw new StoreAwayException("server of a test");
        };
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> OfflineStores.opened(directory, "away", away, table))
          .isInstanceOf(StoreAwayException.class);
      assertThat(directory.resolve("away/1")).exists();
      assertThat(StoreFolder.in(directory)).extracting(StoreFolder::engine).doesNotContain("away");
    }

    stores = OfflineStores.opened(directory, "away", directories, table);
    absorb(1);
    stores.close();

    assertThat(StoreFolder.in(directory)).extracting(StoreFolder::engine).contains("away");
    assertThat(directory.resolve("away"))
        .isDirectoryNotContaining("regex:.*/2.*")
        .isDirectoryNotContaining("regex:.*unopened.*");
    stores = OfflineStores.opened(directory, "away", directories, table);
    assertThat(keys()).containsExactly(1);
  }

  @Test
  void no_store_gets_the_number_of_one_that_is_not_quite_gone() throws IOException {
    FolderFiles files = new FolderFiles(directory.resolve("numbers"));
    assertThat(files.next()).isEqualTo(1);
    Files.createDirectories(files.directory(2));
    Files.createDirectories(files.directory(10));
    files.retire(10);
    files.retire(11);

    assertThat(files.numbers()).containsExactly(2L);
    assertThat(files.retired()).containsExactly(10L, 11L);
    assertThat(files.next()).isEqualTo(12);

    files.forget(11);
    assertThat(files.next()).isEqualTo(11);
  }

  @Test
  void readers_go_on_without_a_dropped_store_but_not_without_another() {
    absorb(1);
    List<Generation> frozen = stores.freeze();
    stores.drop(frozen);
    assertThat(Generation.iterators(frozen, store -> store.between(null, null))).isEmpty();

    absorb(2);
    stores.close();
    assertThatThrownBy(this::keys).isInstanceOf(StoreClosedException.class);
  }

  /** On a server a reader would find nothing. */
  @Test
  void a_dropped_store_stays_until_its_last_reader_is_gone() {
    directories.isOnServer = true;
    absorb(1);
    absorb(2);
    List<Generation> frozen = stores.freeze();
    directories.isRead = true;

    stores.drop(frozen);
    StoreRemovals.NODE.run(folder -> {});

    assertThat(keys()).as("who begins now").isEmpty();
    assertThat(directory.resolve("engine/1")).exists();
    directories.isRead = false;
    StoreRemovals.NODE.run(folder -> {});
    assertThat(directory.resolve("engine")).isDirectoryNotContaining("regex:.*/1.*");
  }

  @Test
  void stores_on_a_server_leave_a_dropped_table_in_the_background() {
    directories.isOnServer = true;
    absorb(1);
    stores.freeze();
    absorb(2);

    stores.delete();

    assertThat(StoreFolder.in(directory)).as("what a start would read").isEmpty();
    assertThat(StoreFolder.retiredIn(directory)).hasSize(1);
    stores = opened();
    absorb(3);
    StoreRemovals.NODE.run(StoreFolder::deleteIfUnused);
    assertThat(keys()).as("in a store that came meanwhile").containsExactly(3);
    stores.delete();
    StoreRemovals.NODE.run(StoreFolder::deleteIfUnused);
    assertThat(directory.resolve("engine")).doesNotExist();
  }

  /** The end of a table drops what a background turn may be dropping. */
  @Test
  void a_store_is_dropped_once() {
    directories.isOnServer = true;
    absorb(1);
    List<Generation> frozen = stores.freeze();
    stores.drop(frozen);
    StoreRemovals.NODE.run(folder -> {});

    stores.drop(frozen);

    assertThat(directory.resolve("engine")).isDirectoryNotContaining("regex:.*/1.*");
  }

  @Test
  void a_store_in_memory_alone_is_cold_after_a_restart_until_its_data_is_there_again() {
    directories.isVolatile = true;
    stores = opened();
    assertThat(stores.isCold()).as("nothing was lost").isFalse();
    absorb(1);
    restart();
    assertThat(stores.isCold()).isTrue();
    assertThat(stores.isEmpty()).as("it must not be deleted").isFalse();
    assertThatThrownBy(this::keys).isInstanceOf(StoreException.class).hasMessageContaining("cold");

    absorb(2);
    stores.drop(stores.freeze());
    assertThat(stores.isCold()).as("after a spill").isTrue();
    restart();
    assertThat(stores.isCold()).as("after another restart").isTrue();

    absorb(3);
    stores.restored();
    assertThat(keys()).containsExactly(3);
    assertThat(stores.isCold()).isFalse();
    stores.drop(stores.freeze());
    restart();
    assertThat(stores.isCold()).as("all was in sstables").isFalse();
  }

  @Test
  void a_table_that_left_an_engine_in_memory_alone_is_cold_too() {
    directories.isVolatile = true;
    stores = opened();
    absorb(1);
    stores.close();
    directories.forget();
    for (int restart = 0; restart < 2; restart++) {
      Generations none =
          Generations.none(directory, TableMetadataRef.forOfflineTools(table), OfflineStores.HOST);
      none.adopt(StoreFolder.in(directory).get(0), directories);
      none.drop(none.freeze());
      assertThat(none.isCold()).isTrue();
      none.close();
    }
  }

  /** Parts of a flush run at once, one for each data directory. */
  @Test
  void several_threads_may_be_the_first_to_bring_data() throws Exception {
    directories.isVolatile = true;
    for (int round = 0; round < 50; round++) {
      VolatileMark mark = new VolatileMark(directory.resolve("round" + round), true);
      CountDownLatch go = new CountDownLatch(1);
      List<CompletableFuture<Void>> setting = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        setting.add(
            CompletableFuture.runAsync(
                () -> {
                  await(go);
                  mark.set();
                }));
      }
      go.countDown();
      for (CompletableFuture<Void> each : setting) {
        each.get(10, TimeUnit.SECONDS);
      }
      assertThat(new VolatileMark(directory.resolve("round" + round), true).isLost()).isTrue();
    }
  }

  private void restart() {
    stores.close();
    directories.forget();
    stores = opened();
  }

  @Test
  void partitions_outside_of_ranges_are_found() {
    absorb(1);
    Murmur3Partitioner.LongToken own = (Murmur3Partitioner.LongToken) token(1);
    Token least = Murmur3Partitioner.instance.getMinimumToken();
    Range<Token> just = new Range<Token>(own.decreaseSlightly(), own);

    assertThat(has(just)).isTrue();
    for (Range<Token> foreign : new Range<>(least, least).subtractAll(Set.of(just))) {
      foreign.unwrap().forEach(part -> assertThat(has(part)).as("%s", part).isFalse());
    }
    absorb(2);
    assertThat(
            new Range<>(least, least)
                .subtractAll(Set.of(just)).stream()
                    .flatMap(foreign -> foreign.unwrap().stream())
                    .anyMatch(this::has))
        .isTrue();
  }

  private boolean has(Range<Token> range) {
    Range<PartitionPosition> rows = Range.makeRowRange(range);
    return stores.any(store -> store.hasPartitions(rows));
  }

  private static Token token(int key) {
    return Murmur3Partitioner.instance.getToken(ByteBufferUtil.bytes(key));
  }

  private void absorb(int key) {
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(table, key).timestamp(key).nowInSec(1_000_000_000L);
    update.row().add("v", key);
    stores.absorb(List.of(update.build()), () -> NEVER);
  }

  private Set<Integer> keys() {
    Set<Integer> keys = new TreeSet<>();
    for (UnfilteredPartitionIterator partitions :
        stores.iterators(store -> store.between(null, null))) {
      try (partitions) {
        while (partitions.hasNext()) {
          try (UnfilteredRowIterator rows = partitions.next()) {
            keys.add(ByteBufferUtil.toInt(rows.partitionKey().getKey()));
          }
        }
      }
    }
    return keys;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stores in memory that outlive their closing, with a directory each. */
  private static final class Directories implements KvEngine {
    private final Map<Path, MemoryStore> stores = new HashMap<>();
    private Runnable beforeWrite = () -> {};
    private boolean isVolatile;
    private boolean isFull;
    private boolean isAway;
    private boolean isOnServer;
    private boolean isRead;

    @Override
    public void drop(StorePlace place) {
      if (isAway) {
        throw new StoreAwayException("server of a test");
      }
      KvEngine.super.drop(place);
    }

    @Override
    public boolean isOnServer() {
      return isOnServer;
    }

    @Override
    public boolean isVolatile() {
      return isVolatile;
    }

    /** The process ends. */
    void forget() {
      stores.clear();
    }

    @Override
    public KvStore open(StorePlace place) {
      Path directory = place.directory();
      try {
        Files.createDirectories(directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Reopened(stores.computeIfAbsent(directory, unused -> new MemoryStore()));
    }

    private final class Reopened implements KvStore {
      private final MemoryStore store;
      private boolean closed;

      Reopened(MemoryStore store) {
        this.store = store;
      }

      private MemoryStore open() {
        if (closed) {
          throw new StoreClosedException("store of a test");
        }
        return store;
      }

      @Override
      public KvSnapshot snapshot() {
        return open().snapshot();
      }

      @Override
      public void write(KvBatch batch) {
        beforeWrite.run();
        if (isFull && !batch.shrinks() && !batch.clears()) {
          throw new StoreAwayException("full");
        }
        open().write(batch);
      }

      @Override
      public StoreStats stats() {
        return open().stats();
      }

      @Override
      public boolean isReleased() {
        return !isRead;
      }

      @Override
      public void close() {
        closed = true;
      }
    }
  }
}
