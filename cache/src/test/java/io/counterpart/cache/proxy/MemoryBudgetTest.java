package io.counterpart.cache.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients that get memory, wait for it, or are closed. */
class MemoryBudgetTest {
  private static final long MIB = 1 << 20;

  private final EmbeddedChannel time = new EmbeddedChannel();
  private final MemoryBudget budget =
      new MemoryBudget(time.eventLoop(), new MemoryLimits(64 * MIB, 8 * MIB));
  private final List<String> resumed = new ArrayList<>();

  /** A client that does nothing until the test says so. */
  static final class Client implements MemoryAccount.Holder {
    long progress;
    private long requests;
    private boolean isClientsTurn = true;
    long closedWith = -1;

    @Override
    public long progress() {
      return progress;
    }

    @Override
    public long requests() {
      return requests;
    }

    @Override
    public boolean isClientsTurn() {
      return isClientsTurn;
    }

    @Override
    public void giveUp(long heldBytes) {
      closedWith = heldBytes;
    }
  }

  MemoryBudgetTest() {
    time.freezeTime();
  }

  private MemoryAccount open(Client client) {
    return budget.open(client, false);
  }

  private MemoryAccount open() {
    return open(new Client());
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      time.advanceTimeBy(1, TimeUnit.SECONDS);
      time.runScheduledPendingTasks();
      time.runPendingTasks();
    }
  }

  @Test
  void a_client_gets_up_to_its_share_of_what_is_free() {
    MemoryAccount client = open();
    int taken = 0;
    while (client.take(MIB)) {
      taken++;
    }
    assertThat(taken).isEqualTo(6);
    assertThat(budget.heldBytes()).isEqualTo(6 * MIB);
  }

  @Test
  void many_clients_that_give_nothing_back_leave_some_to_the_next() {
    for (int i = 0; i < 50; i++) {
      MemoryAccount greedy = open();
      for (int j = 0; j < 1000; j++) {
        greedy.take(MIB / 16);
      }
    }
    assertThat(64 * MIB - budget.heldBytes()).isGreaterThan(7 * MIB);
    assertThat(open().take(MIB)).isTrue();
  }

  @Test
  void a_client_without_a_request_may_begin_one_that_is_beyond_its_share() {
    MemoryAccount client = open();
    assertThat(client.take(20 * MIB)).isTrue();
    assertThat(client.take(1)).isFalse();
    assertThat(open().take(20 * MIB)).isTrue();
    assertThat(budget.workCost(1 << 30)).isEqualTo(24 * MIB);
  }

  @Test
  void who_waits_goes_on_once_there_is_room() {
    MemoryAccount first = open();
    MemoryAccount second = open();
    first.take(24 * MIB);
    second.take(24 * MIB);
    MemoryAccount third = open();
    assertThat(third.take(24 * MIB)).isFalse();
    third.awaitWork(24 * MIB, () -> resumed.add("third " + third.take(24 * MIB)));
    time.runPendingTasks();
    assertThat(resumed).isEmpty();
    assertThat(budget.waiting()).isOne();

    first.change(-24 * MIB);
    time.runPendingTasks();

    assertThat(resumed).containsExactly("third true");
    assertThat(budget.waiting()).isZero();
  }

  @Test
  void a_large_request_is_overtaken_by_small_ones_for_three_seconds_only() {
    Client busy = new Client();
    busy.isClientsTurn = false;
    MemoryAccount first = open(busy);
    first.take(24 * MIB);
    open(busy).take(24 * MIB);
    MemoryAccount large = open();
    large.awaitWork(24 * MIB, () -> resumed.add("large " + large.take(24 * MIB)));
    pass(2);
    assertThat(open().take(MIB)).isTrue();
    pass(2);
    MemoryAccount late = open();
    assertThat(late.take(MIB)).isFalse();
    late.awaitWork(MIB, () -> resumed.add("late " + late.take(MIB)));

    first.change(-24 * MIB);
    time.runPendingTasks();

    assertThat(resumed).containsExactly("large true", "late true");
    assertThat(busy.closedWith).isEqualTo(-1);
  }

  @Test
  void a_client_that_stalls_is_closed_if_others_wait_for_its_memory() {
    Client stalled = new Client();
    Client moving = new Client();
    Client served = new Client();
    served.isClientsTurn = false;
    MemoryAccount holds = open(stalled);
    holds.take(20 * MIB);
    open(moving).take(20 * MIB);
    open(served).take(20 * MIB);
    pass(10);
    assertThat(stalled.closedWith).as("nobody waits").isEqualTo(-1);
    MemoryAccount waits = open();
    waits.awaitWork(6 * MIB, () -> resumed.add("goes on"));

    for (int i = 0; i < 3; i++) {
      moving.progress++;
      pass(1);
    }
    assertThat(stalled.closedWith).isEqualTo(-1);
    moving.progress++;
    pass(1);

    assertThat(stalled.closedWith).isEqualTo(20 * MIB);
    assertThat(moving.closedWith).isEqualTo(-1);
    assertThat(served.closedWith).isEqualTo(-1);
    assertThat(budget.closedClients()).isOne();
    holds.close();
    holds.change(-20 * MIB);
    time.runPendingTasks();
    assertThat(resumed).containsExactly("goes on");
  }

  @Test
  void who_waits_for_its_own_share_closes_nobody() {
    Client stalled = new Client();
    open(stalled).take(20 * MIB);
    MemoryAccount client = open();
    client.take(5 * MIB);
    client.awaitWork(MIB, () -> resumed.add("goes on"));
    pass(10);
    assertThat(stalled.closedWith).isEqualTo(-1);
    assertThat(open().take(MIB)).isTrue();
  }

  @Test
  void unfinished_requests_take_half_at_most() {
    for (int i = 0; i < 2; i++) {
      assertThat(open().receive(16 * MIB)).isTrue();
    }
    MemoryAccount third = open();
    assertThat(third.receive(MIB)).isFalse();
    assertThat(third.take(24 * MIB)).isTrue();
  }

  @Test
  void a_proxy_that_forwards_may_take_half() {
    MemoryAccount proxy = budget.open(new Client(), true);
    int taken = 0;
    while (proxy.take(MIB)) {
      taken++;
    }
    assertThat(taken).isEqualTo(32);
  }

  @Test
  void limits_are_checked() {
    assertThatThrownBy(() -> new MemoryLimits(MIB, MIB))
        .hasMessage("1048576 bytes for requests, legal: 16777216 and above");
    assertThatThrownBy(() -> new MemoryLimits(16 * MIB, 17 * MIB))
        .hasMessage("17825792 bytes for the requests of a client, legal: 1048576 to 16777216");
    assertThat(MemoryLimits.ofTotal(64 * MIB).clientBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void limits_are_divided_if_each_part_is_legal() {
    MemoryLimits limits = new MemoryLimits(65 * MIB, 20 * MIB);

    assertThat(limits.divided(1)).isEqualTo(limits);
    assertThat(limits.divided(2)).isEqualTo(new MemoryLimits(65 * MIB / 2, 20 * MIB));
    assertThat(limits.divided(4)).isEqualTo(new MemoryLimits(65 * MIB / 4, 65 * MIB / 4));
    assertThatThrownBy(() -> limits.divided(5))
        .hasMessage("68157440 bytes for requests, legal in 5 parts: 83886080 and above");
  }

  @Test
  void operations_of_another_loop_are_never_closed_for_others() {
    MemoryAccount otherLoop = budget.openForLoop();
    otherLoop.take(64 * MIB);
    open().awaitWork(MIB, () -> resumed.add("goes on"));

    pass(2 * MemoryBudget.MOST_SWEEPS);
    assertThat(budget.closedClients()).isZero();
    assertThat(resumed).isEmpty();

    otherLoop.change(-64 * MIB);
    time.runPendingTasks();
    assertThat(resumed).containsExactly("goes on");
  }

  @Test
  void the_use_of_several_budgets_is_told_as_of_one() {
    MemoryBudget other = new MemoryBudget(time.eventLoop(), new MemoryLimits(32 * MIB, 16 * MIB));
    open().take(40 * MIB);
    other.openForLoop().take(30 * MIB);
    open().awaitWork(30 * MIB, () -> {});
    other.openForLoop().awaitWork(3 * MIB, () -> {});
    other.openForLoop().awaitWork(4 * MIB, () -> {});

    assertThat(ProxyStatistics.MemoryUse.of(List.of(budget, other)))
        .isEqualTo(new ProxyStatistics.MemoryUse(70 * MIB, 96 * MIB, 16 * MIB, 3, 0));
    pass(MemoryBudget.PATIENCE_SWEEPS + 1);
    assertThat(ProxyStatistics.MemoryUse.of(List.of(other, budget)).closedClients()).isOne();
  }

  @Test
  void slow_senders_hold_up_large_requests_alone_and_not_for_ever() {
    Client slow = new Client();
    open(slow).receive(16 * MIB);
    open(slow).receive(16 * MIB);
    MemoryAccount large = open();
    large.awaitInput(MIB, () -> resumed.add("large"));
    for (int i = 0; i < 5; i++) {
      slow.progress++;
      pass(1);
    }

    assertThat(open().take(MIB)).as("a complete request").isTrue();
    assertThat(slow.closedWith).isEqualTo(-1);
    for (int i = 0; i < 40; i++) {
      slow.progress++;
      pass(1);
    }
    assertThat(slow.closedWith).isPositive();
  }

  /** Whenever anybody looks, it is within a request, but each time within another one. */
  @Test
  void who_sends_request_after_request_is_not_slow() {
    Client kept = new Client();
    kept.isClientsTurn = false;
    open(kept).receive(16 * MIB);
    open(kept).receive(16 * MIB);
    Client streaming = new Client();
    open(streaming).receiving(MIB / 16);
    open().awaitInput(MIB, () -> resumed.add("large"));

    for (int i = 0; i < 2 * MemoryBudget.MOST_SWEEPS; i++) {
      streaming.progress++;
      streaming.requests++;
      pass(1);
    }

    assertThat(resumed).isEmpty();
    assertThat(streaming.closedWith).isEqualTo(-1);
  }
}
