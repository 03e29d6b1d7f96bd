package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WindowTest {
  @Test
  void never_has_more_operations_under_way_than_allowed() {
    Queue<CompletableFuture<Integer>> open = new ArrayDeque<>();
    Window window = new Window(3, 0, done -> {});

    for (int i = 0; i < 50; i++) {
      if (open.size() == 3) {
        open.remove().complete(1);
      }
      window.submit(
          OperationKind.READ,
          () -> {
            CompletableFuture<Integer> future = new CompletableFuture<>();
            open.add(future);
            return future;
          },
          answer -> {});
      assertThat(open.size()).isLessThanOrEqualTo(3);
    }
    open.forEach(future -> future.complete(1));

    assertThat(window.finish().operations()).isEqualTo(50);
  }

  @Test
  void counts_failures_whether_they_come_late_at_once_or_from_the_answer() {
    Window window = new Window(1, 0, done -> {});

    window.submit(
        OperationKind.READ,
        () -> CompletableFuture.failedFuture(new IllegalStateException("late")),
        a -> {});
    window.submit(
        OperationKind.READ,
        () -> {
          throw new IllegalStateException("at once");
        },
        a -> {});
    window.submit(
        OperationKind.READ,
        () -> CompletableFuture.completedFuture(1),
        a -> {
          throw new IllegalStateException("answer");
        });

    PhaseOutcome outcome = window.finish();
    assertThat(outcome.failed()).isEqualTo(3);
    assertThat(outcome.operations()).isZero();
    assertThat(outcome.firstError()).contains("late");
  }

  @Test
  void measures_from_the_intended_start_when_paced() {
    Window window = new Window(1, 100, done -> {});
    CompletableFuture<Integer> stalled = new CompletableFuture<>();

    window.submit(OperationKind.READ, () -> stalled, a -> {});
    CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS)
        .execute(() -> stalled.complete(1));
    for (int i = 0; i < 5; i++) {
      window.submit(OperationKind.READ, () -> CompletableFuture.completedFuture(1), a -> {});
    }

    // the five waited behind the stall: a client that counts from the real start would not see it
    assertThat(window.finish().latencies().merged().getValueAtPercentile(50))
        .isGreaterThan(100_000);
  }
}
