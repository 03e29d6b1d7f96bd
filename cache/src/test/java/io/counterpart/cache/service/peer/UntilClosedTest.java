package io.counterpart.cache.service.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits that end when a tier is closed. */
@Timeout(60)
class UntilClosedTest {
  private final UntilClosed waits = new UntilClosed();

  @Test
  void many_waits_for_one_future_leave_nothing_on_it() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    for (int i = 0; i < 100; i++) {
      waits.await(never, Duration.ofMillis(1));
    }

    await().until(() -> never.getNumberOfDependents() == 0);
  }

  @Test
  void a_wait_ends_with_its_future_or_the_tier() throws Exception {
    Duration day = Duration.ofDays(1);
    waits.await(CompletableFuture.completedFuture(1), day);
    waits.await(CompletableFuture.failedFuture(new IOException("no")), day);
    assertThat(waits.isClosed()).isFalse();

    waits.close();

    waits.await(new CompletableFuture<>(), day);
  }
}
