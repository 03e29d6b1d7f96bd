package io.counterpart.cache.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Proxies that forward to this one, and hold memory for which others wait. */
class StalledProxyTest {
  private static final long MIB = 1 << 20;

  private final EmbeddedChannel time = new EmbeddedChannel();
  private final MemoryBudget budget =
      new MemoryBudget(time.eventLoop(), new MemoryLimits(64 * MIB, 8 * MIB));

  /** A proxy that has answers to take. */
  private static final class Proxy implements MemoryAccount.Holder {
    private long progress;
    private boolean isClosed;

    @Override
    public long progress() {
      return progress;
    }

    @Override
    public long requests() {
      return 0;
    }

    @Override
    public boolean isClientsTurn() {
      return true;
    }

    @Override
    public void giveUp(long heldBytes) {
      isClosed = true;
    }
  }

  StalledProxyTest() {
    time.freezeTime();
  }

  @Test
  void one_that_stands_still_is_closed_in_the_end_and_one_that_is_slow_is_not() {
    Proxy still = new Proxy();
    Proxy slow = new Proxy();
    budget.open(still, true).take(32 * MIB);
    budget.open(slow, true).take(32 * MIB);
    budget.open(new MemoryAccount.OtherLoop(), false).awaitWork(MIB, () -> {});

    for (int second = 0; second < MemoryBudget.MOST_SWEEPS; second++) {
      pass(slow);
    }
    assertThat(still.isClosed).isFalse();
    pass(slow);

    assertThat(still.isClosed).isTrue();
    assertThat(slow.isClosed).isFalse();
  }

  private void pass(Proxy moving) {
    moving.progress++;
    time.advanceTimeBy(1, TimeUnit.SECONDS);
    time.runScheduledPendingTasks();
    time.runPendingTasks();
  }
}
