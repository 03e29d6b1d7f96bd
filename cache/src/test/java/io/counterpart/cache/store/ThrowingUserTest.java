package io.counterpart.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tier whose code, or whose user's code, throws during the turn of a key. */
@Timeout(120)
class ThrowingUserTest {
  private final StoreFixture fixture = new StoreFixture(StoreFixture.LIMITS);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void readAndThrow(String key) {
    fixture.loop.execute(
        () ->
            fixture.tier.get(
                Key.of(key),
                GetOptions.PLAIN,
                outcome -> {
                  throw new IllegalStateException("made to fail");
                }));
    fixture.on(() -> {});
  }

  private void assertEnded() {
    assertThatThrownBy(() -> fixture.tier.ended().get(40, TimeUnit.SECONDS))
        .hasMessageContaining("made to fail");
    assertThat(StoreFixture.end(fixture.get("other")).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(StoreFixture.end(fixture.set("other", "v")).status()).isEqualTo(Status.UNAVAILABLE);
  }

  @Test
  void a_fault_when_the_store_answers_ends_the_tier() {
    fixture.inStore("k", "v");
    readAndThrow("k");
    assertThat(fixture.tier.ended()).isNotDone();

    fixture.on(fixture.store::endAll);

    assertEnded();
  }

  @Test
  void so_does_one_in_a_call() {
    fixture.withStore(fixture.set("k", "v"));

    readAndThrow("k");

    assertEnded();
  }

  @Test
  void a_store_that_fails_gives_every_turn_back() {
    for (int i = 0; i < 3; i++) {
      CompletableFuture<?> write = fixture.set("k", "v");
      CompletableFuture<?> read = fixture.get("k");
      while (!write.isDone() || !read.isDone()) {
        fixture.on(fixture.store::failAll);
      }
    }

    assertThat(fixture.withStore(fixture.set("k", "w")).status()).isEqualTo(Status.DONE);
    assertThat(fixture.withStore(fixture.get("k")).value()).isEqualTo("w");
  }
}
