package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.forward.ForwardLimits;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations that wait for memory on the shard's event loop, and those that are refused. */
@Timeout(120)
class LoopCrossingWaitsTest extends CrossingFixture {
  private static final byte[] VALUE = new byte[MIB];

  /** A request, the value, and twice that for its change. */
  private static final long STORE_BYTES = 256 + 3L * MIB;

  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private final NotingTier shard = new NotingTier(held::add);
  private final LoopCrossing crossing = crossing(home, shard, memory);
  private final List<String> outcomes = new CopyOnWriteArrayList<>();

  private void store(LoopCrossing way, String name) {
    way.store(
        set(name, Unpooled.wrappedBuffer(VALUE)),
        outcome -> outcomes.add(name + " " + outcome.status()));
  }

  private void read(LoopCrossing way, String name) {
    way.get(
        Key.of(name),
        GetOptions.PLAIN,
        outcome -> {
          if (outcome instanceof GetOutcome.Found found) {
            found.value().release();
          }
          outcomes.add(name + (outcome instanceof GetOutcome.None none ? " " + none.status() : ""));
        });
  }

  private List<String> begun() throws Exception {
    settle();
    return on(away, () -> shard.asked.stream().map(NotingTier.Asked::name).toList());
  }

  private void answerAll() throws Exception {
    run(
        away,
        () -> {
          while (!held.isEmpty()) {
            held.remove().run();
          }
        });
    settle();
  }

  @Test
  void an_operation_waits_until_others_end_and_nobody_overtakes_it() throws Exception {
    run(
        home,
        () -> {
          store(crossing, "a");
          store(crossing, "b");
          store(crossing, "c");
          read(crossing, "d");
        });
    assertThat(begun()).as("within half of the memory").containsExactly("a", "b");
    assertThat(memory.heldBytes()).isEqualTo(2 * STORE_BYTES);
    assertThat(memory.waiting()).isOne();

    run(away, () -> held.remove().run());

    assertThat(begun()).containsExactly("a", "b", "c", "d");
    assertThat(memory.waiting()).isZero();
    assertThat(outcomes).containsExactly("a DONE");
    answerAll();
    assertThat(outcomes).containsExactly("a DONE", "b DONE", "c DONE", "d");
    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void a_value_that_is_found_holds_memory_until_its_clients_loop_has_it() throws Exception {
    shard.readBytes = key -> 2 * MIB;
    run(home, () -> read(crossing, "a"));
    run(home, () -> store(crossing, "b"));
    settle();
    CountDownLatch busy = new CountDownLatch(1);
    home.execute(() -> stayBusyUntil(busy));

    run(away, () -> held.forEach(Runnable::run));
    run(away, () -> {});

    assertThat(memory.heldBytes()).isEqualTo(256 + 2L * MIB);
    busy.countDown();
    settle();
    assertThat(outcomes).containsExactly("a", "b DONE");
    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void one_loop_leaves_half_of_the_memory_to_others() throws Exception {
    EventLoop third = loop();
    LoopCrossing fromThird = crossing(third, shard, memory);
    run(home, () -> List.of("a", "b", "c").forEach(name -> store(crossing, name)));
    settle();

    run(third, () -> store(fromThird, "x"));

    assertThat(begun()).containsExactly("a", "b", "x");
    answerAll();
    answerAll();
    assertThat(outcomes).containsExactlyInAnyOrder("a DONE", "b DONE", "c DONE", "x DONE");
  }

  @Test
  void a_shard_without_memory_holds_up_only_its_own_queue() throws Exception {
    EventLoop third = loop();
    LoopCrossing toOther = crossing(home, new NotingTier(Runnable::run), budget(third));
    MemoryAccount others = takeAll(memory);

    run(
        home,
        () -> {
          read(crossing, "a");
          read(toOther, "b");
          read(crossing, "c");
          read(toOther, "d");
        });

    assertThat(begun()).isEmpty();
    assertThat(outcomes).containsExactly("b", "d");
    giveBack(memory, others, memory.limits().totalBytes());
    assertThat(begun()).containsExactly("a", "c");
    answerAll();
    assertThat(outcomes).containsExactly("b", "d", "a", "c");
  }

  @Test
  void loops_whose_clients_have_all_their_memory_do_not_wait_for_each_other() throws Exception {
    NotingTier there = new NotingTier(away::execute);
    NotingTier here = new NotingTier(home::execute);
    there.readBytes = key -> 3 * MIB;
    here.readBytes = key -> 3 * MIB;
    BusyClients ofHome = new BusyClients(budget(home), crossing(home, there, memory));
    BusyClients ofAway = new BusyClients(budget(away), crossing(away, here, budget(home)));
    run(home, ofHome::takeAll);
    run(away, ofAway::takeAll);

    run(home, ofHome::send);
    run(away, ofAway::send);

    assertThat(ofHome.awaitEnd(20, TimeUnit.SECONDS)).isTrue();
    assertThat(ofAway.awaitEnd(20, TimeUnit.SECONDS)).isTrue();
  }

  /** The first two wait for the shard's event loop, then for memory. */
  @Test
  void what_has_waited_for_too_long_is_not_begun() throws Exception {
    MemoryAccount others = takeAll(memory);
    CountDownLatch busy = new CountDownLatch(1);
    away.execute(() -> stayBusyUntil(busy));
    run(home, () -> store(crossing, "old"));
    run(home, () -> read(crossing, "old-2"));
    nowNanos.addAndGet(ForwardLimits.REQUEST_AGE.toNanos());
    run(home, () -> read(crossing, "young"));
    busy.countDown();
    assertThat(begun()).isEmpty();
    assertThat(outcomes).isEmpty();

    nowNanos.incrementAndGet();
    giveBack(memory, others, memory.limits().totalBytes());

    assertThat(begun()).containsExactly("young");
    answerAll();
    assertThat(outcomes).containsExactly("old UNAVAILABLE", "old-2 UNAVAILABLE", "young");
    assertThat(memory.heldBytes()).isZero();
  }

  /** Sends from the clients' loop, so that it is queued behind the present task of the shard's. */
  private void sendNow(String name) {
    try {
      run(home, () -> read(crossing, name));
      run(home, () -> {});
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Clients are closed twice, and their loop is late: they send until it closes them. */
  @Test
  void what_was_sent_before_the_closing_is_refused_and_nothing_that_is_sent_later()
      throws Exception {
    run(home, () -> read(crossing, "begun"));
    settle();
    long othersBytes = memory.limits().totalBytes() - memory.heldBytes();
    MemoryAccount others = takeAll(memory);
    run(home, () -> store(crossing, "waits"));
    settle();
    CountDownLatch refused = new CountDownLatch(1);

    run(
        away,
        () -> {
          sendNow("on-its-way");
          home.execute(() -> stayBusyUntil(refused));
          home.execute(() -> read(crossing, "to-be-closed-1"));
          crossing.refuse();
          home.execute(() -> read(crossing, "to-be-closed-2"));
          crossing.refuseNoMore();
          crossing.refuse();
          home.execute(() -> read(crossing, "to-be-closed-3"));
          crossing.refuseNoMore();
          home.execute(() -> read(crossing, "new"));
        });
    refused.countDown();

    assertThat(begun()).containsExactly("begun");
    assertThat(outcomes)
        .containsExactly(
            "waits UNAVAILABLE",
            "on-its-way UNAVAILABLE",
            "to-be-closed-1 UNAVAILABLE",
            "to-be-closed-2 UNAVAILABLE",
            "to-be-closed-3 UNAVAILABLE");
    giveBack(memory, others, othersBytes);
    assertThat(begun()).containsExactly("begun", "new");
    answerAll();
    assertThat(outcomes).endsWith("begun", "new");
    assertThat(memory.heldBytes()).isZero();
  }

  /** Else it would become urgent, and keep others from memory that is free. */
  @Test
  void what_is_refused_waits_for_memory_no_more() throws Exception {
    MemoryAccount others = takeAll(memory);
    run(home, () -> store(crossing, "waits"));
    settle();
    assertThat(memory.waiting()).isOne();

    crossing.refuse();
    crossing.refuseNoMore();
    settle();

    assertThat(outcomes).containsExactly("waits UNAVAILABLE");
    assertThat(memory.waiting()).isZero();
    giveBack(memory, others, memory.heldBytes());
  }

  @Test
  void nothing_is_begun_while_clients_are_being_closed() throws Exception {
    crossing.refuse();
    run(home, () -> read(crossing, "a"));

    assertThat(begun()).isEmpty();
    assertThat(outcomes).containsExactly("a UNAVAILABLE");
    crossing.refuseNoMore();
    run(home, () -> read(crossing, "b"));
    assertThat(begun()).containsExactly("b");
  }
}
