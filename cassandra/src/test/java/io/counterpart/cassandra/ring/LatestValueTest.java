package io.counterpart.cassandra.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LatestValueTest {
  private static final int THREADS = 8;

  private final AtomicInteger computations = new AtomicInteger();

  @Test
  void computes_once_for_a_key_however_many_ask() throws Exception {
    LatestValue<Integer, String> value =
        new LatestValue<>(
            (key, previous) -> {
              computations.incrementAndGet();
              return "v" + key;
            });

    List<String> got = inParallel(() -> value.at(() -> 1));

    assertThat(got).hasSize(THREADS).containsOnly("v1");
    assertThat(computations).hasValue(1);
  }

  @Test
  void gives_others_the_value_before_while_one_computes() throws Exception {
    AtomicInteger key = new AtomicInteger(1);
    CountDownLatch othersDone = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    LatestValue<Integer, String> value =
        new LatestValue<>(
            (k, previous) -> {
              computations.incrementAndGet();
              if (k == 2) {
                begun.countDown();
                await(othersDone);
              }
              return "v" + k;
            });
    assertThat(value.at(key::get)).isEqualTo("v1");
    key.set(2);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<String> first = pool.submit(() -> value.at(key::get));
      await(begun);

      assertThat(inParallel(() -> value.at(key::get))).containsOnly("v1");
      assertThat(value.latest(key::get)).isEqualTo("v1");
      othersDone.countDown();

      assertThat(first.get()).isEqualTo("v2");
      assertThat(value.latest(key::get)).isEqualTo("v2");
      assertThat(computations).hasValue(2);
    } finally {
      othersDone.countDown();
      pool.shutdown();
    }
  }

  @Test
  void computes_again_after_a_failure() {
    LatestValue<Integer, String> value =
        new LatestValue<>(
            (key, previous) -> {
              if (computations.getAndIncrement() == 0) {
                throw new IllegalStateException("not yet");
              }
              return "v" + key;
            });

    assertThat(catchThrowable(() -> value.at(() -> 1))).hasMessage("not yet");
    assertThat(value.at(() -> 1)).isEqualTo("v1");
  }

  private static List<String> inParallel(Callable<String> call) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<String> results = new ArrayList<>();
      for (Future<String> result : pool.invokeAll(Collections.nCopies(THREADS, call))) {
        results.add(result.get());
      }
      return results;
    } finally {
      pool.shutdown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
