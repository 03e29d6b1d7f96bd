package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TruncationsTest {
  private final Truncations truncations = new Truncations();

  @Test
  void what_was_read_before_a_truncation_does_not_come_after_it() {
    long counted = truncations.count();
    truncations.begin();

    assertThat(truncations.unless(truncations.count(), () -> {})).as("while it runs").isFalse();
    truncations.end();

    boolean isDone =
        truncations.unless(
            counted,
            () -> {
              throw new AssertionError("rows come back");
            });

    assertThat(isDone).isFalse();
    assertThat(truncations.unless(truncations.count(), () -> {})).isTrue();
  }

  @Test
  void a_truncation_waits_for_what_began_before_it_and_who_asks_for_the_count_does_not()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CompletableFuture<Boolean> action =
        CompletableFuture.supplyAsync(
            () ->
                truncations.unless(
                    0,
                    () -> {
                      begun.countDown();
                      await(goesOn);
                    }));
    await(begun);
    CompletableFuture<Void> truncation = CompletableFuture.runAsync(truncations::begin);

    assertThat(truncations.count()).isZero();
    Thread.sleep(100);
    assertThat(truncation).isNotDone();
    goesOn.countDown();

    assertThat(action.get(10, TimeUnit.SECONDS)).isTrue();
    truncation.get(10, TimeUnit.SECONDS);
    assertThat(truncations.count()).isOne();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
