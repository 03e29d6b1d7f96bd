package io.counterpart.cassandra.engine.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupCommitTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ExecutorService committer = Executors.newSingleThreadExecutor();
  private final ExecutorService writers = Executors.newCachedThreadPool();
  private final List<List<Integer>> commits = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch open = new CountDownLatch(1);

  /** The store has been asked to take a write. */
  private final CountDownLatch asked = new CountDownLatch(1);

  @AfterEach
  void stop() {
    open.countDown();
    asked.countDown();
    writers.shutdown();
    committer.shutdown();
  }

  private GroupCommit<Integer> commit(Duration patience, GroupCommit.Target<Integer> target) {
    return new GroupCommit<>("the store", committer, () -> patience, target);
  }

  /** Patience is short, and begins when the store has been asked: the committer may be late. */
  private GroupCommit<Integer> commitAtOnce(GroupCommit.Target<Integer> target) {
    return new GroupCommit<>(
        "the store",
        task -> {
          committer.execute(task);
          awaitLatch(asked);
        },
        () -> SHORT,
        target);
  }

  private void record(Supplier<List<Integer>> claimed) {
    commits.add(claimed.get());
  }

  /** The first commit waits for the latch. */
  private void recordWhenOpen(Supplier<List<Integer>> claimed) {
    boolean isFirst = commits.isEmpty();
    record(claimed);
    if (isFirst) {
      asked.countDown();
      awaitLatch(open);
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<Void> put(GroupCommit<Integer> to, int write) {
    return CompletableFuture.runAsync(() -> to.put(write), writers);
  }

  @Test
  void writes_that_come_during_a_commit_are_the_next_one() {
    GroupCommit<Integer> group = commit(LONG, this::recordWhenOpen);
    List<CompletableFuture<Void>> puts = new ArrayList<>();
    puts.add(put(group, 0));
    await().until(() -> commits.size() == 1);
    IntStream.range(1, 20).forEach(write -> puts.add(put(group, write)));
    await().until(() -> group.waiting() == 19);
    assertThat(puts).noneMatch(CompletableFuture::isDone);

    open.countDown();

    puts.forEach(CompletableFuture::join);
    assertThat(commits).hasSize(2);
    assertThat(commits.get(1))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(1, 20).boxed().toList());
  }

  @Test
  void a_write_returns_after_the_commit_that_has_it() {
    AtomicInteger durable = new AtomicInteger();
    GroupCommit<Integer> group =
        commit(
            LONG,
            claimed -> {
              List<Integer> writes = claimed.get();
              Thread.yield();
              durable.addAndGet(writes.size());
            });
    AtomicInteger early = new AtomicInteger();
    AtomicInteger returned = new AtomicInteger();

    List<CompletableFuture<Void>> all =
        IntStream.range(0, 8)
            .mapToObj(
                writer ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 500; i++) {
                            group.put(i);
                            if (returned.incrementAndGet() > durable.get()) {
                              early.incrementAndGet();
                            }
                          }
                        },
                        writers))
            .toList();
    all.forEach(CompletableFuture::join);

    assertThat(early.get()).isZero();
    assertThat(durable.get()).isEqualTo(8 * 500);
  }

  @Test
  void a_write_that_the_store_cannot_take_fails_alone() {
    GroupCommit<Integer> group =
        commit(
            LONG,
            claimed -> {
              recordWhenOpen(claimed);
              if (claimed.get().contains(7)) {
                throw new StoreException("damaged entry");
              }
            });
    CompletableFuture<Void> first = put(group, 0);
    await().until(() -> commits.size() == 1);
    CompletableFuture<Void> good = put(group, 1);
    CompletableFuture<Void> bad = put(group, 7);
    CompletableFuture<Void> alsoGood = put(group, 2);
    await().until(() -> group.waiting() == 3);

    open.countDown();

    List.of(first, good, alsoGood).forEach(CompletableFuture::join);
    assertThatThrownBy(bad::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("damaged entry")
        .cause()
        .isInstanceOf(StoreException.class)
        .hasMessage("the store cannot take a write: damaged entry");
    assertThat(commits.subList(2, 5)).containsExactlyInAnyOrder(List.of(1), List.of(7), List.of(2));
  }

  @Test
  void while_the_store_hangs_one_write_waits_its_time_and_later_ones_fail_at_once() {
    GroupCommit<Integer> group = commitAtOnce(this::recordWhenOpen);
    assertThatThrownBy(() -> group.put(0))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store has not taken a write in 500 ms; it may do so later");
    assertThat(commits).containsExactly(List.of(0));

    await().pollDelay(SHORT).until(() -> true);
    assertThatThrownBy(() -> group.put(1)).hasMessageContaining("this one is not tried");
    assertThat(group.waiting()).isZero();
    open.countDown();

    await().ignoreExceptions().untilAsserted(() -> group.put(2));
    assertThat(commits).contains(List.of(2)).doesNotContain(List.of(1));
  }

  @Test
  void a_write_whose_writer_has_given_up_is_not_claimed() {
    GroupCommit<Integer> group =
        commitAtOnce(
            claimed -> {
              // as a truncation that is in the way
              if (commits.isEmpty()) {
                asked.countDown();
                awaitLatch(open);
              }
              record(claimed);
            });
    assertThatThrownBy(() -> group.put(0)).hasMessageContaining("500 ms");

    open.countDown();
    await().ignoreExceptions().untilAsserted(() -> group.put(1));

    assertThat(commits.get(0)).as("claimed after its writer gave up").isEmpty();
    assertThat(commits.stream().flatMap(List::stream)).containsOnly(1);
  }

  @Test
  void a_committer_that_has_ended_refuses() throws Exception {
    GroupCommit<Integer> group = commit(LONG, this::record);
    group.put(0);
    committer.shutdown();
    assertThat(committer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

    assertThatThrownBy(() -> group.put(1))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store takes no writes any more");
  }
}
