package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.engine.SpillSize;
import io.counterpart.engine.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpillsApartTest {
  private final Queue<Runnable> threads = new ArrayDeque<>();
  private final Recorded steps = new Recorded();
  private final SpillsApart<Integer> spills = new SpillsApart<>(steps, threads::add);

  @Test
  void who_asks_while_one_is_under_way_waits_for_that_one() {
    CompletableFuture<Void> first = spills.begin("a snapshot");
    CompletableFuture<Void> second = spills.begin("a repair");

    assertThat(second).isSameAs(first).isNotDone();
    assertThat(spills.isUnderWay()).isTrue();
    assertThat(threads).hasSize(1);
    threads.remove().run();

    assertThat(first).isCompleted();
    assertThat(spills.isUnderWay()).isFalse();
    assertThat(spills.isRunning()).isFalse();
    assertThat(steps.log)
        .containsExactly("begin a snapshot", "freeze 1", "write 1", "release 1", "end");
  }

  @Test
  void the_next_one_is_another() {
    spills.begin("a snapshot");
    threads.remove().run();

    assertThat(spills.begin("a repair")).isNotDone();
    assertThat(threads).hasSize(1);
  }

  @Test
  void much_that_has_come_meanwhile_goes_along_in_a_bounded_number_of_rounds() {
    steps.rest = Integer.MAX_VALUE;

    CompletableFuture<Void> spill = spills.begin("a snapshot");
    threads.remove().run();

    assertThat(spill).isCompleted();
    assertThat(steps.log.stream().filter(each -> each.startsWith("write")))
        .hasSize(SpillSize.MOST_ROUNDS);
    assertThat(steps.log).endsWith("write 3", "release 3", "end");
  }

  @Test
  void who_waits_goes_on_before_readers_have_let_go_of_the_stores() {
    CompletableFuture<Void> spill = spills.begin("a snapshot");
    List<Boolean> seen = new ArrayList<>();
    steps.atRelease =
        () -> {
          seen.add(spill.isDone());
          seen.add(spills.isUnderWay());
          seen.add(spills.isRunning());
          // somebody else, for what has come since
          seen.add(spills.begin("a repair") == spill);
        };

    threads.remove().run();

    assertThat(seen)
        .as("done, under way, with stores, the same")
        .containsExactly(true, false, true, false);
    assertThat(steps.log).endsWith("release 1", "end");
  }

  @Test
  void all_who_wait_are_told_of_a_failure_and_the_next_one_begins_anew() {
    steps.failure = new StoreException("the server is away");
    CompletableFuture<Void> spill = spills.begin("a snapshot");
    threads.remove().run();

    assertThatThrownBy(spill::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StoreException.class);
    assertThat(steps.log).endsWith("write 1", "end");
    assertThat(spills.isRunning()).isFalse();
    steps.failure = null;
    CompletableFuture<Void> next = spills.begin("a snapshot");
    threads.remove().run();
    assertThat(next).isCompleted();
  }

  @Test
  void stores_that_cannot_be_let_go_are_nobodys_failure_and_stay_until_they_can() {
    CompletableFuture<Void> spill = spills.begin("a snapshot");
    steps.atRelease =
        () -> {
          throw new StoreException("disk full");
        };
    threads.remove().run();

    assertThat(spill).isCompleted();
    assertThat(steps.log).endsWith("release 1", "end");
    assertThat(spills.isRunning()).as("a table that has left would be closed").isTrue();
    assertThat(steps.repeated).hasSize(1);
    Runnable again = steps.repeated.remove();
    assertThatThrownBy(again::run).hasMessage("disk full");
    assertThat(spills.isRunning()).isTrue();

    steps.atRelease = () -> {};
    again.run();

    assertThat(steps.log).endsWith("end", "release 1", "release 1");
    assertThat(spills.isRunning()).isFalse();
  }

  @Test
  void a_node_without_threads_for_it_refuses() {
    SpillsApart<Integer> refused =
        new SpillsApart<>(
            steps,
            work -> {
              throw new RejectedExecutionException("shut down");
            });

    assertThatThrownBy(() -> refused.begin("a snapshot"))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(refused.isUnderWay()).isFalse();
    assertThat(refused.isRunning()).isFalse();
  }

  /** Writes down what is done. */
  private static final class Recorded implements SpillsApart.Steps<Integer> {
    private final List<String> log = new ArrayList<>();
    private final Queue<Runnable> repeated = new ArrayDeque<>();
    private int spills;
    private int rest;
    private Runnable atRelease = () -> {};
    private @Nullable RuntimeException failure;

    @Override
    public void begin(String reason) {
      log.add("begin " + reason);
    }

    @Override
    public Integer freeze() {
      log.add("freeze " + ++spills);
      return spills;
    }

    @Override
    public void write(Integer spill) {
      log.add("write " + spill);
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void release(Integer spill) {
      log.add("release " + spill);
      atRelease.run();
    }

    @Override
    public void repeat(Runnable release) {
      repeated.add(release);
    }

    @Override
    public void end() {
      log.add("end");
    }

    @Override
    public boolean isMuch() {
      return rest-- > 0;
    }
  }
}
