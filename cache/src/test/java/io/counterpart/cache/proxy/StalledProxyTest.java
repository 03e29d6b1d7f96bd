package io.counterpart.cache.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.proxy.MemoryBudgetTest.Client;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Proxies that forward to this one, and hold memory for which others wait. */
class StalledProxyTest {
  private static final long MIB = 1 << 20;

  private final EmbeddedChannel time = new EmbeddedChannel();
  private final MemoryBudget budget =
      new MemoryBudget(time.eventLoop(), new MemoryLimits(64 * MIB, 8 * MIB));

  StalledProxyTest() {
    time.freezeTime();
  }

  @Test
  void one_that_stands_still_is_closed_in_the_end_and_one_that_is_slow_is_not() {
    Client still = new Client();
    Client slow = new Client();
    budget.open(still, true).take(32 * MIB);
    budget.open(slow, true).take(32 * MIB);
    budget.open(new MemoryAccount.OtherLoop(), false).awaitWork(MIB, () -> {});

    for (int second = 0; second < MemoryBudget.MOST_SWEEPS; second++) {
      pass(slow);
    }
    assertThat(still.closedWith).isNegative();
    pass(slow);

    assertThat(still.closedWith).isPositive();
    assertThat(slow.closedWith).isNegative();
  }

  private void pass(Client moving) {
    moving.progress++;
    time.advanceTimeBy(1, TimeUnit.SECONDS);
    time.runScheduledPendingTasks();
    time.runPendingTasks();
  }
}
