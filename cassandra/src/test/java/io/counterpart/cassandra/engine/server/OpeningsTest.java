package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpeningsTest {
  private final Object lock = new Object();
  private final Map<String, String> open = new HashMap<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final Openings<String, String> openings = new Openings<>(lock);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answers = new CountDownLatch(1);

  @AfterEach
  void answer() {
    answers.countDown();
  }

  private String enter(String table, UnaryOperator<String> server) {
    return openings.get(
        table,
        () -> open.get(table),
        () -> table,
        name -> {
          attempts.incrementAndGet();
          return server.apply(name);
        },
        store -> {
          open.put(table, store);
          return store;
        });
  }

  private CompletableFuture<String> entering(String table, UnaryOperator<String> server) {
    CompletableFuture<String> entered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                entered.complete(enter(table, server));
              } catch (RuntimeException e) {
                entered.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return entered;
  }

  private String hang(String table) {
    asked.countDown();
    await(answers);
    return table + " on the server that hung";
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_server_that_hangs_holds_up_no_other_table() throws Exception {
    CompletableFuture<String> slow = entering("slow", this::hang);
    await(asked);

    assertThat(entering("other", table -> "store").get(10, TimeUnit.SECONDS)).isEqualTo("store");
    synchronized (lock) {
      assertThat(openings.running()).containsExactly("slow");
      assertThat(openings.isRunning("other")).isFalse();
    }
    assertThat(slow).isNotDone();
    answers.countDown();

    assertThat(slow.get(10, TimeUnit.SECONDS)).startsWith("slow on");
    synchronized (lock) {
      assertThat(openings.running()).isEmpty();
    }
  }

  @Test
  void who_wants_the_same_table_waits_and_opens_nothing() throws Exception {
    CompletableFuture<String> first = entering("t", this::hang);
    await(asked);
    CompletableFuture<String> second = entering("t", table -> "opened twice");
    assertThatThrownBy(() -> second.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);

    answers.countDown();

    assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(first.get(10, TimeUnit.SECONDS));
    assertThat(attempts).hasValue(1);
  }

  @Test
  void after_a_failure_the_next_one_opens() throws Exception {
    CompletableFuture<String> first =
        entering(
            "t",
            table -> {
              hang(table);
              throw new IllegalStateException("away");
            });
    await(asked);
    CompletableFuture<String> second = entering("t", table -> "store");
    answers.countDown();

    assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS)).hasMessageContaining("away");
    assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("store");
  }

  /** As of a table that was dropped meanwhile. */
  @Test
  void what_is_refused_in_the_end_is_not_open() {
    assertThatThrownBy(
            () ->
                openings.get(
                    "t",
                    () -> open.get("t"),
                    () -> "t",
                    table -> "store",
                    store -> {
                      throw new IllegalStateException("dropped");
                    }))
        .hasMessage("dropped");

    assertThat(enter("t", table -> "next")).isEqualTo("next");
  }
}
