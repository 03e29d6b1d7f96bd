package io.counterpart.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tier with a store whose memory misses a change. */
class UntoldMemoryTest {
  private final StoreFixture fixture = new StoreFixture(StoreFixture.LIMITS);
  private final FakeStore store = fixture.store;
  private final ToyMemory memory = fixture.toyMemory;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void memory_that_could_not_be_told_is_not_read_until_it_was() {
    fixture.withStore(fixture.set("k", "before"));
    fixture.on(() -> memory.down(true));

    WriteOutcome write = fixture.withStore(fixture.set("k", "after"));

    assertThat(write.status()).isEqualTo(Status.DONE);
    assertThat(marker()).isTrue();
    assertThat(fixture.statistics.unsettledKeys().sum()).isEqualTo(1);
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");

    fixture.on(() -> memory.down(false));

    await().until(() -> fixture.statistics.unsettledKeys().sum() == 0);
    assertThat(memory.has(Key.of("k"))).isFalse();
    await()
        .until(
            () -> {
              fixture.on(store::endAll);
              return !marker();
            });
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
    assertThat(memory.has(Key.of("k"))).isTrue();
  }

  private boolean marker() {
    boolean[] there = new boolean[1];
    fixture.on(() -> there[0] = store.record(OwnKeys.unsettled(0)).isPresent());
    return there[0];
  }

  @Test
  void the_next_proxy_empties_memory_that_could_not_be_told() {
    fixture.withStore(fixture.set("k", "before"));
    fixture.withStore(fixture.set("other", "v"));
    fixture.on(() -> memory.down(true));
    fixture.withStore(fixture.set("k", "after"));

    fixture.open(StoreFixture.LIMITS);

    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
    fixture.on(() -> memory.down(false));
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
    await().until(() -> !memory.has(Key.of("other")));
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
    await()
        .until(
            () -> {
              fixture.on(store::endAll);
              return !marker();
            });
  }

  @Test
  void a_marker_that_was_found_is_written_anew_before_it_is_relied_on() {
    fixture.on(
        () -> store.put(OwnKeys.unsettled(0), new PersistentRecord(new byte[0], 0, 0, false, 1)));
    fixture.open(new StoreLimits(8, 64, 8, 64, Duration.ofSeconds(10), 16, Duration.ofSeconds(30)));
    fixture.withStore(fixture.set("k", "before"));
    fixture.on(() -> store.delete(OwnKeys.unsettled(0), 2)); // of the proxy before
    fixture.on(store::endAll);
    fixture.on(() -> memory.down(true));

    assertThat(fixture.withStore(fixture.set("k", "after")).status()).isEqualTo(Status.DONE);

    assertThat(marker()).isTrue();
  }

  @Test
  void where_no_more_keys_can_be_remembered_memory_is_told_first() {
    for (int i = 0; i < 20; i++) {
      fixture.withStore(fixture.set("k" + i, "before"));
    }
    fixture.on(() -> memory.down(true));
    int limit = StoreFixture.LIMITS.unsettledKeys();
    for (int i = 0; i < limit; i++) {
      assertThat(fixture.withStore(fixture.set("k" + i, "after")).status()).isEqualTo(Status.DONE);
    }

    assertThat(fixture.withStore(fixture.set("k" + limit, "after")).status())
        .isEqualTo(Status.UNAVAILABLE);

    assertThat(fixture.stored("k" + limit)).isEqualTo("before");
    assertThat(fixture.withStore(fixture.set("k0", "again")).status()).isEqualTo(Status.DONE);
  }

  @Test
  void without_memory_for_it_a_write_is_durable_and_read_from_the_store() {
    fixture.withStore(fixture.set("k", "before"));
    fixture.on(() -> memory.full(true));

    assertThat(fixture.withStore(fixture.set("k", "after")).status()).isEqualTo(Status.DONE);

    assertThat(fixture.statistics.unsettledKeys().sum()).isZero();
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
  }

  @Test
  void a_value_that_was_read_while_memory_was_down_is_not_undone_when_it_returns() {
    fixture.withStore(fixture.set("k", "before"));
    CompletableFuture<WriteOutcome> write = fixture.set("k", "after");
    fixture.inStore("k", "after"); // arrived, though the client is told that it may not have
    fixture.on(store::failAll);
    assertThat(StoreFixture.end(write).status()).isEqualTo(Status.STORE_UNAVAILABLE);
    assertThat(StoreFixture.end(fixture.get("k")).value()).isEqualTo("before");

    fixture.on(() -> memory.down(true));
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
    fixture.on(() -> memory.down(false));

    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("after");
  }
}
