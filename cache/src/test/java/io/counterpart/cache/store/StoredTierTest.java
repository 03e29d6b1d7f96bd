package io.counterpart.cache.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.store.StoreFixture.Got;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tier with a store, step by step. */
class StoredTierTest {
  private final StoreFixture fixture = new StoreFixture(StoreFixture.LIMITS);
  private final FakeStore store = fixture.store;
  private final ToyMemory memory = fixture.toyMemory;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void reads_of_a_key_that_memory_does_not_have_share_one_request() {
    fixture.inStore("k", "v");
    int before = store.reads();
    List<CompletableFuture<Got>> reads =
        IntStream.range(0, 20).mapToObj(i -> fixture.get("k")).toList();

    assertThat(store.reads() - before).isEqualTo(1);
    fixture.on(store::endAll);

    assertThat(reads)
        .allSatisfy(
            read -> {
              assertThat(StoreFixture.end(read).value()).isEqualTo("v");
              assertThat(StoreFixture.end(read).item().flags()).isEqualTo(3);
            });
    assertThat(fixture.statistics.joinedReads().sum()).isEqualTo(19);
    assertThat(memory.has(Key.of("k"))).isTrue();
    assertThat(StoreFixture.end(fixture.get("k")).value()).isEqualTo("v");
    assertThat(store.reads() - before).isEqualTo(1);
  }

  @Test
  void a_touch_creates_nothing_where_memory_has_lost_the_object_meanwhile() {
    fixture.withStore(fixture.set("k", "v"));
    CompletableFuture<Got> touch =
        fixture.get("k", new GetOptions(true, true, false, 1000, 30, null, "NT"));
    fixture.on(() -> memory.lose(Key.of("k"))); // as an eviction or a flush_all does

    assertThat(fixture.withStore(touch).value()).isEqualTo("v");
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("v");
  }

  @Test
  void a_read_creates_nothing_where_memory_has_lost_what_was_put_into_it() {
    fixture.inStore("k", "v");
    fixture.on(() -> memory.answersAtOnce(false));
    CompletableFuture<Got> read =
        fixture.get("k", new GetOptions(true, true, false, null, 30, null, "N"));
    fixture.on(memory::answerOne); // a miss
    fixture.on(store::endAll); // goes into memory
    fixture.on(() -> memory.lose(Key.of("k")));
    fixture.on(memory::answerOne);
    fixture.on(memory::answerOne);

    assertThat(StoreFixture.end(read).value()).isEqualTo("v");
  }

  @Test
  void reads_are_counted_by_size_and_by_what_had_the_object() {
    fixture.inStore("short", "v");
    fixture.inStore("long", "v".repeat(1024));
    fixture.inStore("longer", "v".repeat(1025));
    for (String key : List.of("short", "short", "short", "long", "longer", "none")) {
      fixture.withStore(fixture.get(key));
    }

    assertThat(fixture.statistics.answers().all())
        .filteredOn(size -> size.memory() + size.store() > 0)
        .containsExactly(
            new AnswersBySize.OfSize("64", 2, 1),
            new AnswersBySize.OfSize("1024", 0, 1),
            new AnswersBySize.OfSize("4096", 0, 1));
  }

  @Test
  void what_is_read_from_the_store_replaces_nothing_in_memory() {
    fixture.inStore("k", "older");
    CompletableFuture<Got> read = fixture.get("k");
    fixture.on(
        () ->
            memory.store(
                new StoreCommand(
                    Key.of("k"),
                    StoreMode.SET,
                    0,
                    0,
                    0,
                    false,
                    Unpooled.copiedBuffer("newer", ISO_8859_1)),
                outcome -> {}));
    fixture.on(store::endAll);

    assertThat(StoreFixture.end(read).value()).isEqualTo("newer");
    assertThat(StoreFixture.end(fixture.get("k")).value()).isEqualTo("newer");
  }

  @Test
  void what_neither_has_is_a_miss_and_is_not_remembered() {
    assertThat(fixture.withStore(fixture.get("k")).status()).isEqualTo(Status.NOT_FOUND);

    fixture.inStore("k", "v");

    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("v");
  }

  @Test
  void a_write_is_acknowledged_when_the_store_and_memory_have_it() {
    CompletableFuture<WriteOutcome> write = fixture.set("k", "v");

    assertThat(write).isNotDone();
    assertThat(memory.has(Key.of("k"))).isFalse();
    fixture.on(store::endAll);

    assertThat(StoreFixture.end(write).status()).isEqualTo(Status.DONE);
    assertThat(fixture.stored("k")).isEqualTo("v");
    assertThat(memory.has(Key.of("k"))).isTrue();
  }

  @Test
  void a_write_that_the_store_does_not_acknowledge_leaves_the_value_before() {
    fixture.withStore(fixture.set("k", "before"));
    CompletableFuture<WriteOutcome> write = fixture.set("k", "after");
    fixture.on(store::failAll);

    assertThat(StoreFixture.end(write).status()).isEqualTo(Status.STORE_UNAVAILABLE);
    assertThat(StoreFixture.end(fixture.get("k")).value()).isEqualTo("before");
    assertThat(fixture.statistics.failedWrites().sum()).isEqualTo(1);
  }

  @Test
  void a_change_that_waited_does_not_reach_the_store_of_another_owner() {
    int last = StoreFixture.LIMITS.writesAtOnce();
    List<CompletableFuture<WriteOutcome>> writes =
        IntStream.rangeClosed(0, last).mapToObj(i -> fixture.set("k" + i, "v")).toList();
    fixture.on(() -> fixture.isOwner = false);
    fixture.on(store::endAll);

    assertThat(StoreFixture.end(writes.get(0)).status()).isEqualTo(Status.DONE);
    assertThat(StoreFixture.end(writes.get(last)).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(fixture.stored("k" + last)).isNull();
  }

  @Test
  void changes_leave_an_expiry_although_the_clock_of_memory_is_late() {
    fixture.on(() -> memory.late(1));
    long before = System.currentTimeMillis() / 1000;
    fixture.withStore(fixture.store(StoreMode.SET, "k", "1", 100, 0));
    for (int i = 0; i < 20; i++) {
      fixture.withStore(fixture.increment("k", 1));
    }

    assertThat(expirySeconds("k")).isBetween(before + 100, before + 110);
  }

  @Test
  void an_empty_object_that_is_to_be_computed_anew_is_touched_in_the_store_too() {
    long before = System.currentTimeMillis() / 1000;
    fixture.withStore(fixture.store(StoreMode.SET, "k", "", 100, 0));
    GetOptions recaching = new GetOptions(true, true, false, null, null, 200, "R");
    assertThat(fixture.withStore(fixture.get("k", recaching)).item().won()).isTrue();

    fixture.withStore(fixture.get("k", GetOptions.touching(1000)));

    assertThat(expirySeconds("k")).isBetween(before + 1000, before + 1010);
  }

  private long expirySeconds(String key) {
    return store.record(Key.of(key)).orElseThrow().expirySeconds();
  }

  @Test
  void operations_on_a_key_take_effect_in_the_order_of_the_calls() {
    fixture.inStore("k", "0");
    CompletableFuture<Got> first = fixture.get("k");
    CompletableFuture<WriteOutcome> write = fixture.set("k", "1");
    CompletableFuture<Got> second = fixture.get("k");
    CompletableFuture<WriteOutcome> deletion = fixture.delete("k");
    CompletableFuture<Got> third = fixture.get("k");

    assertThat(fixture.withStore(third).status()).isEqualTo(Status.NOT_FOUND);
    assertThat(StoreFixture.end(first).value()).isEqualTo("0");
    assertThat(StoreFixture.end(write).status()).isEqualTo(Status.DONE);
    assertThat(StoreFixture.end(second).value()).isEqualTo("1");
    assertThat(StoreFixture.end(deletion).status()).isEqualTo(Status.DONE);
  }

  @Test
  void commands_that_ask_what_there_is_ask_the_store() {
    fixture.inStore("k", "41");

    assertThat(fixture.withStore(fixture.store(StoreMode.ADD, "k", "x", 0, 0)).status())
        .isEqualTo(Status.NOT_STORED);
    assertThat(fixture.withStore(fixture.increment("k", 1)).number()).isEqualTo(42);
    fixture.on(() -> memory.lose(Key.of("k")));
    assertThat(fixture.withStore(fixture.store(StoreMode.APPEND, "k", "0", 0, 0)).status())
        .isEqualTo(Status.DONE);
    fixture.on(() -> memory.lose(Key.of("k")));
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("420");
    assertThat(StoreFixture.end(fixture.get("k")).item().flags()).isEqualTo(3);
    fixture.on(() -> memory.lose(Key.of("k")));
    assertThat(fixture.withStore(fixture.delete("k")).status()).isEqualTo(Status.DONE);
    assertThat(fixture.withStore(fixture.delete("k")).status()).isEqualTo(Status.NOT_FOUND);
    assertThat(fixture.withStore(fixture.store(StoreMode.REPLACE, "k", "x", 0, 0)).status())
        .isEqualTo(Status.NOT_STORED);
    assertThat(fixture.withStore(fixture.store(StoreMode.ADD, "k", "x", 0, 0)).status())
        .isEqualTo(Status.DONE);
    assertThat(fixture.stored("k")).isEqualTo("x");
  }

  @Test
  void a_version_from_before_memory_lost_the_object_does_not_count() {
    long version = fixture.withStore(fixture.set("k", "v")).cas();
    fixture.on(() -> memory.lose(Key.of("k")));

    assertThat(fixture.withStore(fixture.store(StoreMode.CAS, "k", "x", 0, version)).status())
        .isEqualTo(Status.EXISTS);
    long now = fixture.withStore(fixture.get("k")).item().cas();
    assertThat(fixture.withStore(fixture.store(StoreMode.CAS, "k", "x", 0, now)).status())
        .isEqualTo(Status.DONE);
    assertThat(fixture.stored("k")).isEqualTo("x");
  }

  @Test
  void reads_beyond_the_limits_are_refused_and_not_sent() {
    int before = store.reads();
    List<CompletableFuture<Got>> reads =
        IntStream.range(0, 100).mapToObj(i -> fixture.get("k" + i)).toList();

    assertThat(store.reads() - before).isEqualTo(StoreFixture.LIMITS.readsAtOnce());
    List<CompletableFuture<Got>> refused =
        reads.stream().filter(CompletableFuture::isDone).toList();
    assertThat(refused)
        .hasSize(100 - StoreFixture.LIMITS.readsAtOnce() - StoreFixture.LIMITS.readsWaiting())
        .allSatisfy(
            read -> assertThat(StoreFixture.end(read).status()).isEqualTo(Status.OVERLOADED));
    assertThat(fixture.statistics.refused().sum()).isEqualTo(refused.size());

    reads.forEach(fixture::withStore);
    assertThat(store.reads() - before).isEqualTo(100 - refused.size());
  }

  @Test
  void expiry_and_touch_are_the_stores_too() {
    long before = System.currentTimeMillis() / 1000;
    fixture.withStore(fixture.store(StoreMode.SET, "k", "v", 100, 0));
    assertThat(expiry("k")).isBetween(before + 100, before + 110);

    Got touched = fixture.withStore(fixture.get("k", GetOptions.touching(1000)));

    assertThat(touched.value()).isEqualTo("v");
    assertThat(expiry("k")).isBetween(before + 1000, before + 1010);
    fixture.on(() -> memory.lose(Key.of("k")));
    assertThat(fixture.withStore(fixture.get("k", GetOptions.touching(2000))).value())
        .isEqualTo("v");
    assertThat(expiry("k")).isBetween(before + 2000, before + 2010);
    assertThat(memory.has(Key.of("k"))).isTrue();

    fixture.withStore(fixture.store(StoreMode.SET, "k", "v", -1, 0));

    assertThat(fixture.stored("k")).isNull();
    assertThat(fixture.withStore(fixture.get("k")).status()).isEqualTo(Status.NOT_FOUND);
  }

  private long expiry(String key) {
    return store.record(Key.of(key)).orElseThrow().expirySeconds();
  }

  @Test
  void an_object_that_has_expired_in_the_store_is_a_miss() {
    fixture.on(
        () ->
            store.put(
                Key.of("k"),
                new PersistentRecord(
                    new byte[1], 0, System.currentTimeMillis() / 1000 - 1, false, 1)));

    assertThat(fixture.withStore(fixture.get("k")).status()).isEqualTo(Status.NOT_FOUND);
    assertThat(fixture.withStore(fixture.store(StoreMode.ADD, "k", "x", 0, 0)).status())
        .isEqualTo(Status.DONE);
  }

  @Test
  void a_client_that_is_to_compute_a_missing_value_is_told_so_after_the_store_was_asked() {
    GetOptions vivifying = new GetOptions(true, true, false, null, 30, null, "N");
    fixture.inStore("there", "v");

    assertThat(fixture.withStore(fixture.get("there", vivifying)).item().won()).isFalse();
    assertThat(fixture.withStore(fixture.get("absent", vivifying)).item().won()).isTrue();
    assertThat(fixture.withStore(fixture.get("absent", vivifying)).item().won()).isFalse();
    assertThat(fixture.stored("absent")).isNull();
  }

  @Test
  void a_stale_value_stays_stale_and_one_client_is_told_to_compute_it_anew() {
    GetOptions details = new GetOptions(true, true, false, null, null, null, "");
    fixture.withStore(fixture.set("k", "v"));
    assertThat(fixture.withStore(fixture.markStale("k")).status()).isEqualTo(Status.DONE);
    fixture.on(() -> memory.lose(Key.of("k")));

    // the tier reads it too, but that is no client
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("v");
    assertThat(fixture.withStore(fixture.store(StoreMode.ADD, "k", "x", 0, 0)).status())
        .isEqualTo(Status.NOT_STORED);
    Got first = fixture.withStore(fixture.get("k", details));
    Got second = fixture.withStore(fixture.get("k", details));

    assertThat(first.item().stale()).isTrue();
    assertThat(first.item().won()).isTrue();
    assertThat(second.item().stale()).isTrue();
    assertThat(second.item().won()).isFalse();
    fixture.withStore(fixture.set("k", "anew"));
    fixture.on(() -> memory.lose(Key.of("k")));
    assertThat(fixture.withStore(fixture.get("k", details)).item().stale()).isFalse();
  }

  @Test
  void flush_all_empties_memory_alone() {
    fixture.withStore(fixture.set("k", "v"));

    assertThat(StoreFixture.end(fixture.flushAll()).status()).isEqualTo(Status.DONE);

    assertThat(memory.has(Key.of("k"))).isFalse();
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("v");
  }

  @Test
  void values_that_are_too_large_never_reach_the_store() {
    int before = store.writes();

    assertThat(StoreFixture.end(fixture.set("k", "v".repeat((1 << 20) + 1))).status())
        .isEqualTo(Status.TOO_LARGE);

    assertThat(store.writes()).isEqualTo(before);
  }

  @Test
  void keys_of_the_tiers_own_are_nobodys() {
    String own = new String(OwnKeys.unsettled(0).bytes(), ISO_8859_1);

    assertThat(StoreFixture.end(fixture.set(own, "v")).status()).isEqualTo(Status.NOT_STORED);
    assertThat(StoreFixture.end(fixture.get(own)).status()).isEqualTo(Status.NOT_FOUND);
    assertThat(StoreFixture.end(fixture.delete(own)).status()).isEqualTo(Status.NOT_STORED);
  }

  @Test
  void a_tier_does_not_open_without_an_answer_of_the_store() {
    CompletableFuture<StoredTier> opened = open();
    for (int i = 0; i < 5; i++) {
      assertThat(opened).isNotDone();
      fixture.on(this::failOne);
    }

    assertThatThrownBy(opened::get).hasMessageContaining("the persistent store does not answer");
  }

  @Test
  void a_tier_opens_before_a_store_that_was_slow_for_a_moment() {
    CompletableFuture<StoredTier> opened = open();
    fixture.on(this::failOne);
    assertThat(opened).isNotDone();
    fixture.on(store::endAll);

    assertThat(opened).isCompleted();
  }

  private void failOne() {
    store.endOne(new Random(0), 100);
  }

  private CompletableFuture<StoredTier> open() {
    CompletableFuture<StoredTier> opened =
        StoredTier.open(
            memory,
            store,
            new StoreSettings(StoreFixture.LIMITS, 0, fixture.loop, () -> 1, () -> true),
            new StoreStatistics());
    fixture.on(() -> {});
    return opened;
  }

  @Test
  void limits_out_of_range_are_refused() {
    assertThatThrownBy(
            () -> new StoreLimits(0, 1, 1, 1, Duration.ofSeconds(1), 16, Duration.ofSeconds(1)))
        .hasMessage("reads of the store at once: 0, legal: 1 to 4096");
    assertThatThrownBy(
            () -> new StoreLimits(1, 1, 1, 1, Duration.ofMinutes(2), 16, Duration.ofSeconds(1)))
        .hasMessage("longest wait for the store: 120000 ms, legal: 10 to 60000 ms");
  }
}
