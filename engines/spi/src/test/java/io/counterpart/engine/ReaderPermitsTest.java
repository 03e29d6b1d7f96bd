package io.counterpart.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReaderPermitsTest {
  private static final int MOST = 3;

  private final ReaderPermits permits = new ReaderPermits("a server", MOST);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);

  @AfterEach
  void stop() {
    answer.countDown();
    second.countDown();
    threads.shutdownNow();
  }

  /** All permits are with readers who wait for an answer. */
  private List<CompletableFuture<String>> occupy(CountDownLatch until) throws Exception {
    CountDownLatch entered = new CountDownLatch(MOST);
    List<CompletableFuture<String>> readers = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      readers.add(read(entered::countDown, until));
    }
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    return readers;
  }

  private CompletableFuture<String> read(Runnable onEntering, CountDownLatch until) {
    return CompletableFuture.supplyAsync(
        () ->
            permits.reading(
                () -> {
                  onEntering.run();
                  await(until);
                  return "answered";
                }),
        threads);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How long a reader waits who is refused. */
  private Duration refusal() {
    long begin = System.nanoTime();
    Throwable refused = catchThrowable(() -> permits.reading(() -> "read"));
    Duration waited = Duration.ofNanos(System.nanoTime() - begin);
    // later, since the first such assertion loads many classes
    assertThat(refused)
        .isInstanceOf(StoreBusyException.class)
        .hasMessage("a server is slow: 3 reads wait for it, and no more may");
    return waited;
  }

  @Test
  void a_reader_beyond_the_bound_is_refused_after_a_while_and_those_after_it_soon()
      throws Exception {
    List<CompletableFuture<String>> readers = occupy(answer);

    assertThat(refusal()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
    List<Duration> later = Stream.generate(this::refusal).limit(10).sorted().toList();
    // pauses of the process prolong some
    assertThat(later.get(4)).isLessThan(Duration.ofMillis(400));
    answer.countDown();

    for (CompletableFuture<String> reader : readers) {
      assertThat(reader.get(10, TimeUnit.SECONDS)).isEqualTo("answered");
    }
  }

  @Test
  void a_reader_waits_long_again_after_a_quick_answer() throws Exception {
    List<CompletableFuture<String>> slow = occupy(answer);
    refusal();
    answer.countDown();
    for (CompletableFuture<String> reader : slow) {
      reader.get(10, TimeUnit.SECONDS);
    }
    permits.reading(() -> "quick");

    occupy(second);

    assertThat(refusal()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
  }

  @Test
  void an_answer_that_was_slow_has_the_next_readers_refused_soon() throws Exception {
    List<Duration> refusals = new ArrayList<>();
    for (int attempt = 0; attempt < 3; attempt++) {
      permits.reading(() -> "quick"); // what the attempt before has shown is forgotten
      permits.reading(
          () -> {
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            return "slow";
          });
      CountDownLatch answered = new CountDownLatch(1);
      List<CompletableFuture<String>> readers = occupy(answered);
      refusals.add(refusal());
      answered.countDown();
      for (CompletableFuture<String> reader : readers) {
        reader.get(10, TimeUnit.SECONDS);
      }
    }

    // a pause of the process prolongs one or two
    assertThat(Collections.min(refusals)).isLessThan(Duration.ofMillis(450));
  }

  @Test
  void many_readers_of_a_quick_server_all_get_their_answer() throws Exception {
    int readers = 32;
    CountDownLatch together = new CountDownLatch(readers);
    List<CompletableFuture<Integer>> read = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      read.add(
          CompletableFuture.supplyAsync(
              () -> {
                together.countDown();
                await(together);
                int answers = 0;
                for (int call = 0; call < 50; call++) {
                  answers += permits.reading(() -> 1);
                }
                return answers;
              },
              threads));
    }

    for (CompletableFuture<Integer> each : read) {
      assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo(50);
    }
  }

  @Test
  void a_reader_that_fails_gives_its_permit_back() {
    for (int i = 0; i < 2 * MOST; i++) {
      assertThatThrownBy(
              () ->
                  permits.reading(
                      () -> {
                        throw new StoreException("no answer");
                      }))
          .hasMessage("no answer");
    }

    assertThat(permits.reading(() -> "read")).isEqualTo("read");
  }

  @Test
  void a_bound_of_nobody_is_refused() {
    assertThatThrownBy(() -> new ReaderPermits("a server", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("a server", "0", "1 or more");
  }
}
