package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives on the shard's event loop, in which order, and what becomes of faults. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LoopCrossingTest extends CrossingFixture {
  private static final int OPERATIONS = 30_000;

  /** Bounds the memory of operations and their answers. */
  private static final int MOST_UNDER_WAY = 1000;

  @Test
  void each_operation_and_its_answer_are_the_same_as_without_a_crossing() throws Exception {
    Set<Boolean> places = ConcurrentHashMap.newKeySet();
    NotingTier shard =
        new NotingTier(
            answer -> {
              places.add(away.inEventLoop());
              answer.run();
            });
    LoopCrossing crossing = crossing(home, shard, memory);
    NotingTier direct = new NotingTier(Runnable::run);

    for (int kind = 0; kind < NotingTier.KINDS; kind++) {
      CompletableFuture<Object> expected = new CompletableFuture<>();
      NotingTier.operate(direct, kind, "7", expected::complete);
      Object outcome = ask(crossing, kind, places).get(40, TimeUnit.SECONDS);

      assertThat(outcome).isEqualTo(expected.join());
      release(outcome);
    }

    assertThat(on(away, () -> shard.asked)).isEqualTo(direct.asked);
    assertThat(places).as("each on its own loop").containsExactly(true);
    assertThat(ends).isEmpty();
  }

  private CompletableFuture<Object> ask(LoopCrossing crossing, int kind, Set<Boolean> places)
      throws Exception {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    run(
        home,
        () ->
            NotingTier.operate(
                crossing,
                kind,
                "7",
                outcome -> {
                  places.add(home.inEventLoop());
                  answer.complete(outcome);
                }));
    return answer;
  }

  private static void release(Object outcome) {
    if (outcome instanceof GetOutcome.Found found) {
      found.value().release();
    }
  }

  @Test
  void operations_arrive_in_the_order_of_calls_and_answers_in_that_of_outcomes(Random random)
      throws Exception {
    Random pace = new Random(random.nextLong());
    List<Runnable> held = new ArrayList<>();
    AtomicLong waits = new AtomicLong();
    NotingTier shard =
        new NotingTier(
            answer -> {
              held.add(answer);
              away.execute(
                  () -> {
                    waits.addAndGet(memory.waiting());
                    held.remove(pace.nextInt(held.size())).run();
                  });
            });
    shard.readBytes = key -> key.hashCode() % 40 == 0 ? 4 * MIB : 100;
    Pipeline client = new Pipeline(crossing(home, shard, memory), random);

    home.execute(client::send);
    client.end.get(40, TimeUnit.SECONDS);

    assertThat(on(away, () -> names(shard.asked))).isEqualTo(client.sent);
    assertThat(client.received).isEqualTo(on(away, () -> names(shard.answered)));
    assertThat(client.received).as("answers overtake").isNotEqualTo(client.sent);
    settle();
    assertThat(waits.get()).as("operations that waited for memory").isPositive();
    assertThat(memory.heldBytes()).isZero();
    assertThat(ends).isEmpty();
  }

  private static List<String> names(List<NotingTier.Asked> operations) {
    return operations.stream().map(NotingTier.Asked::name).toList();
  }

  /** A client that sends bursts without waiting for answers. */
  private final class Pipeline {
    private final List<String> sent = new ArrayList<>();
    private final List<String> received = new ArrayList<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final LoopCrossing crossing;
    private final Random random;
    private boolean isPaused;

    Pipeline(LoopCrossing crossing, Random random) {
      this.crossing = crossing;
      this.random = random;
    }

    void send() {
      int burst = Math.min(1 + random.nextInt(100), OPERATIONS - sent.size());
      for (int i = 0; i < burst; i++) {
        String name = Integer.toString(sent.size());
        sent.add(name);
        NotingTier.operate(
            crossing, random.nextInt(NotingTier.KINDS), name, outcome -> receive(name, outcome));
      }
      isPaused = sent.size() - received.size() > MOST_UNDER_WAY;
      if (!isPaused && sent.size() < OPERATIONS) {
        home.execute(this::send);
      }
    }

    private void receive(String name, Object outcome) {
      release(outcome);
      received.add(name);
      if (received.size() == OPERATIONS) {
        end.complete(null);
      } else if (isPaused && sent.size() < OPERATIONS) {
        isPaused = false;
        home.execute(this::send);
      }
    }
  }

  /** A tier whose reads fail. */
  private static NotingTier faulty() {
    return new NotingTier(Runnable::run) {
      @Override
      public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
        throw new IllegalStateException("made to fail");
      }
    };
  }

  private void endsByFault() {
    await().until(() -> !ends.isEmpty());
    assertThat(ends)
        .singleElement()
        .satisfies(
            end ->
                assertThat(end)
                    .hasMessageContaining("a fault of Counterpart")
                    .hasMessageContaining("made to fail")
                    .hasCauseInstanceOf(IllegalStateException.class));
  }

  @Test
  void a_fault_of_the_shards_tier_ends_the_use_of_the_tier() throws Exception {
    LoopCrossing crossing = crossing(home, faulty(), memory);

    run(home, () -> crossing.get(Key.of("k"), GetOptions.PLAIN, outcome -> {}));

    endsByFault();
  }

  @Test
  void so_does_one_in_an_operation_that_has_waited_for_memory() throws Exception {
    LoopCrossing crossing = crossing(home, faulty(), memory);
    MemoryAccount others = takeAll(memory);
    run(home, () -> crossing.get(Key.of("k"), GetOptions.PLAIN, outcome -> {}));
    settle();
    assertThat(memory.waiting()).isOne();
    assertThat(ends).isEmpty();

    giveBack(memory, others, memory.limits().totalBytes());

    endsByFault();
  }

  @Test
  void so_does_one_of_a_client_that_gets_its_answer() throws Exception {
    LoopCrossing crossing = crossing(home, new NotingTier(Runnable::run), memory);

    run(
        home,
        () ->
            crossing.inspect(
                Key.of("k"),
                outcome -> {
                  throw new IllegalStateException("made to fail");
                }));

    endsByFault();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_operation_for_a_loop_that_has_ended_is_dropped(boolean alsoOwn) throws Exception {
    NotingTier shard = new NotingTier(Runnable::run);
    LoopCrossing crossing = crossing(home, shard, memory);
    Set<Object> answers = new HashSet<>();
    end(away);
    if (alsoOwn) {
      end(home);
    }

    for (int kind = 0; kind < NotingTier.KINDS; kind++) {
      int next = kind;
      Runnable operation = () -> NotingTier.operate(crossing, next, "7", answers::add);
      if (alsoOwn) {
        operation.run();
      } else {
        run(home, operation);
      }
    }
    settle();

    assertThat(shard.asked).isEmpty();
    assertThat(answers).isEmpty();
    assertThat(ends).isEmpty();
  }

  @Test
  void an_answer_for_a_loop_that_has_ended_is_dropped() throws Exception {
    ArrayDeque<Runnable> held = new ArrayDeque<>();
    NotingTier shard = new NotingTier(held::add);
    LoopCrossing crossing = crossing(home, shard, memory);
    run(
        home,
        () -> {
          for (int kind = 0; kind < NotingTier.KINDS; kind++) {
            NotingTier.operate(crossing, kind, "7", LoopCrossingTest::release);
          }
        });
    settle();
    end(home);

    run(away, () -> held.forEach(Runnable::run));
    crossing.refuse();
    crossing.refuseNoMore();
    settle();

    assertThat(on(away, () -> shard.answered)).hasSize(NotingTier.KINDS);
    assertThat(ends).isEmpty();
  }
}
