package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorChooserFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** Event loops of clients and of a shard. No task may throw: Netty would only log it. */
abstract class CrossingFixture {
  static final int MIB = 1 << 20;

  private static final int LIMIT_SECONDS = 40;

  /** Enough for what follows from an operation: there, for memory, back, and to give it back. */
  private static final int ROUNDS = 6;

  private final List<EventLoop> loops = new ArrayList<>();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

  /** The reasons for which crossings ended the use of the tier. */
  final List<IOException> ends = new CopyOnWriteArrayList<>();

  /** The clock of crossings, which stands still unless a test moves it. */
  final AtomicLong nowNanos = new AtomicLong();

  /** The clients' event loop. */
  final EventLoop home = loop();

  /** The shard's event loop. */
  final EventLoop away = loop();

  /** For operations from other loops; one of them may take half. */
  final MemoryBudget memory = budget(away);

  /** A queue that notes what its tasks throw. */
  private final class NotingTasks extends ConcurrentLinkedQueue<Runnable> {
    @Override
    public boolean offer(Runnable task) {
      return super.offer(
          () -> {
            try {
              task.run();
            } catch (Throwable failure) {
              uncaught.add(failure);
              throw failure;
            }
          });
    }
  }

  EventLoop loop() {
    NioEventLoopGroup group =
        new NioEventLoopGroup(
            1,
            new ThreadPerTaskExecutor(new DefaultThreadFactory("crossing-test")),
            DefaultEventExecutorChooserFactory.INSTANCE,
            SelectorProvider.provider(),
            DefaultSelectStrategyFactory.INSTANCE,
            RejectedExecutionHandlers.reject(),
            most -> new NotingTasks());
    EventLoop loop = group.next();
    loops.add(loop);
    return loop;
  }

  static MemoryBudget budget(EventLoop loop) {
    return new MemoryBudget(loop, MemoryLimits.ofTotal(MemoryLimits.MIN_TOTAL_BYTES));
  }

  LoopCrossing crossing(EventLoop from, ObjectTier shard, MemoryBudget budget) {
    return new LoopCrossing(from, shard, budget, ends::add, nowNanos::get);
  }

  @AfterEach
  void stop() {
    loops.forEach(CrossingFixture::end);
    assertThat(uncaught).isEmpty();
  }

  static void end(EventLoop loop) {
    assertThat(
            loop.parent()
                .shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(LIMIT_SECONDS, TimeUnit.SECONDS))
        .as("the loop ends")
        .isTrue();
  }

  static <T> T on(EventLoop loop, Callable<T> body) throws Exception {
    return loop.submit(body).get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  static void run(EventLoop loop, Runnable body) throws Exception {
    loop.submit(body).get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits until the loops have run all that was queued, and what follows from it. */
  void settle() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      for (EventLoop loop : loops) {
        if (!loop.isShuttingDown()) {
          run(loop, () -> {});
        }
      }
    }
  }

  /** Keeps the present loop busy until the test lets it go on. */
  static void stayBusyUntil(CountDownLatch latch) {
    try {
      assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes all memory that is free, as operations of another loop or of a follower do. */
  static MemoryAccount takeAll(MemoryBudget budget) throws Exception {
    return on(
        budget.loop(),
        () -> {
          MemoryAccount account = budget.openForLoop();
          assertThat(account.take(budget.limits().totalBytes() - budget.heldBytes())).isTrue();
          return account;
        });
  }

  static void giveBack(MemoryBudget budget, MemoryAccount account, long bytes) throws Exception {
    run(budget.loop(), () -> account.change(-bytes));
  }

  static StoreCommand set(String name, ByteBuf value) {
    return new StoreCommand(Key.of(name), StoreMode.SET, 0, 0, 0, false, value);
  }
}
