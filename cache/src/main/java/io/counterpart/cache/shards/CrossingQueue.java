package io.counterpart.cache.shards;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.forward.ForwardLimits;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.tier.GetOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on their way from the event loop of their clients to that of a shard, where they wait
 * for memory in order, and their outcomes on the way back. {@link #send} belongs to the clients'
 * event loop; the rest of the public methods is thread-safe.
 */
final class CrossingQueue {
  private static final long MOST_AGE_NANOS = ForwardLimits.REQUEST_AGE.toNanos();

  private final MemoryBudget budget;
  private final GuardedLoop shardLoop;
  private final LoopTasks outward;
  private final LoopTasks homeward;
  private final EventLoop home;
  private final LongSupplier clockNanos;
  private final AtomicInteger refusing = new AtomicInteger();

  /** Memory of values that have arrived at the clients' event loop, which it has to give back. */
  private long arrivedBytes;

  // of the shard's event loop
  private final ArrayDeque<Sent<?>> waiting = new ArrayDeque<>();
  private @Nullable MemoryAccount memory;

  /**
   * @param home the clients' event loop
   * @param budget of the shard's event loop, for operations of others
   * @param end ends the process' use of the tier, because a fault has left its state unknown
   * @param clockNanos tells how long operations have waited; for both event loops
   */
  CrossingQueue(
      EventLoop home, MemoryBudget budget, Consumer<IOException> end, LongSupplier clockNanos) {
    this.budget = budget;
    this.home = home;
    this.clockNanos = clockNanos;
    this.shardLoop = new GuardedLoop(budget.loop(), end);
    this.outward = new LoopTasks(home, shardLoop);
    this.homeward = new LoopTasks(budget.loop(), new GuardedLoop(home, end));
  }

  /**
   * An operation.
   *
   * @param bytes bound on its memory, asked on the shard's event loop
   * @param call begins it there, and passes on its outcome
   * @param undone outcome if it is not begun
   * @param done gets the outcome on the clients' event loop
   * @param value its own copy of a value, released at its end; null for none
   */
  record Operation<T>(
      LongSupplier bytes,
      Consumer<Consumer<T>> call,
      T undone,
      Consumer<T> done,
      @Nullable ByteBuf value) {}

  <T> void send(Operation<T> operation) {
    Sent<T> sent = new Sent<>(operation);
    outward.add(
        () -> {
          waiting.add(sent);
          proceed();
        });
  }

  /** An operation since it was sent. */
  private final class Sent<T> {
    private final Operation<T> operation;
    private final long sentNanos = clockNanos.getAsLong();
    private long heldBytes;

    Sent(Operation<T> operation) {
      this.operation = operation;
    }

    boolean isToBeRefused() {
      return refusing.get() > 0 || clockNanos.getAsLong() - sentNanos > MOST_AGE_NANOS;
    }

    void begin(long takenBytes) {
      heldBytes = takenBytes;
      operation.call().accept(this::end);
    }

    void refuse() {
      end(operation.undone());
    }

    private void end(T outcome) {
      if (operation.value() != null) {
        operation.value().release();
      }
      if (outcome instanceof GetOutcome.Found) {
        // the value is in memory until the clients' event loop has it, which may be busy for long
        homeward.add(
            () -> {
              operation.done().accept(outcome);
              giveBack(heldBytes);
            });
      } else {
        account().change(-heldBytes);
        homeward.add(() -> operation.done().accept(outcome));
      }
    }
  }

  /** Gives back the memory of values that have arrived, once a turn. On the clients' event loop. */
  private void giveBack(long bytes) {
    if (arrivedBytes == 0) {
      LoopTasks.execute(
          home,
          () -> {
            long arrived = arrivedBytes;
            arrivedBytes = 0;
            outward.add(() -> account().change(-arrived));
          });
    }
    arrivedBytes += bytes;
  }

  private MemoryAccount account() {
    if (memory == null) {
      memory = budget.openForLoop();
    }
    return memory;
  }

  /** Begins what waits, in order, as far as there is memory. */
  private void proceed() {
    for (Sent<?> next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.isToBeRefused()) {
        waiting.remove();
        next.refuse();
        continue;
      }
      long bytes = budget.workCost(next.operation.bytes().getAsLong());
      if (!account().take(bytes)) {
        account().awaitWork(bytes, () -> shardLoop.run(this::proceed));
        return;
      }
      waiting.remove();
      next.begin(bytes);
    }
    account().awaitNoWork();
  }

  /** See {@link LoopCrossing#refuse}. */
  void refuse() {
    refusing.incrementAndGet();
  }

  /** See {@link LoopCrossing#refuseNoMore}. */
  void refuseNoMore() {
    // their closing, then this: what comes after it is of other clients
    LoopTasks.execute(
        home,
        () ->
            outward.add(
                () -> {
                  proceed();
                  refusing.decrementAndGet();
                }));
  }
}
