package io.counterpart.cache.shards;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.forward.ForwardLimits;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.RequestCosts;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A shard for the clients of another event loop than its own. Operations reach the shard in the
 * order of their calls, and answers return in the order in which they become known.
 *
 * <p><em>Buffers:</em> none is used by two threads at once. A value is copied before it crosses, in
 * either direction, because a slice shares state with the buffer of which it is a part.
 *
 * <p><em>Memory:</em> an operation waits for memory of the shard's budget for other event loops, as
 * a request from another proxy does. Who has memory of that budget waits for no other, so two event
 * loops never wait for each other. What has waited for too long is not begun: its client may have
 * given it up, and written anew elsewhere.
 *
 * <p>Belongs to the clients' event loop, except {@link #refuseSent}.
 */
public final class LoopCrossing implements ObjectTier {
  private static final long MOST_AGE_NANOS = ForwardLimits.REQUEST_AGE.toNanos();
  private static final WriteOutcome NOT_WRITTEN = WriteOutcome.not(Status.UNAVAILABLE);
  private static final GetOutcome NOT_READ = new GetOutcome.None(Status.UNAVAILABLE);

  private final ObjectTier shard;
  private final MemoryBudget budget;
  private final RequestCosts costs;
  private final LoopTasks outward;
  private final LoopTasks homeward;
  private final EventLoop home;

  // of the shard's event loop
  private final ArrayDeque<Operation<?>> waiting = new ArrayDeque<>();
  private @Nullable MemoryAccount memory;
  private int refusing;

  /**
   * @param home the clients' event loop
   * @param shard on another event loop
   * @param budget of that event loop, for operations of others
   * @param end ends the process' use of the tier, because a fault has left its state unknown
   */
  public LoopCrossing(
      EventLoop home, ObjectTier shard, MemoryBudget budget, Consumer<IOException> end) {
    this.shard = shard;
    this.budget = budget;
    this.home = home;
    this.costs = new RequestCosts(shard);
    this.outward = new LoopTasks(home, new GuardedLoop(budget.loop(), end));
    this.homeward = new LoopTasks(budget.loop(), new GuardedLoop(home, end));
  }

  /** An operation on its way, and its outcome on the way back. */
  private final class Operation<T> {
    private final long sentNanos = System.nanoTime();
    private final LongSupplier bytes;
    private final BiConsumer<ObjectTier, Consumer<T>> call;
    private final T undone;
    private final Consumer<T> done;
    private final @Nullable ByteBuf value;
    private long heldBytes;

    /**
     * @param bytes bound on its memory
     * @param undone outcome if it is not begun
     * @param value its own copy, released at its end
     */
    Operation(
        LongSupplier bytes,
        BiConsumer<ObjectTier, Consumer<T>> call,
        T undone,
        Consumer<T> done,
        @Nullable ByteBuf value) {
      this.bytes = bytes;
      this.call = call;
      this.undone = undone;
      this.done = done;
      this.value = value;
    }

    void send() {
      outward.add(
          () -> {
            waiting.add(this);
            proceed();
          });
    }

    boolean isToBeRefused() {
      return refusing > 0 || System.nanoTime() - sentNanos > MOST_AGE_NANOS;
    }

    void begin(long takenBytes) {
      heldBytes = takenBytes;
      call.accept(shard, this::end);
    }

    void refuse() {
      end(undone);
    }

    private void end(T outcome) {
      if (value != null) {
        value.release();
      }
      account().change(-heldBytes);
      homeward.add(() -> done.accept(outcome));
    }
  }

  private MemoryAccount account() {
    if (memory == null) {
      memory = budget.openForLoop();
    }
    return memory;
  }

  /** Begins what waits, in order, as far as there is memory. */
  private void proceed() {
    for (Operation<?> next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.isToBeRefused()) {
        waiting.remove();
        next.refuse();
        continue;
      }
      long bytes = budget.workCost(next.bytes.getAsLong());
      if (!account().take(bytes)) {
        account().awaitWork(bytes, this::proceed);
        return;
      }
      waiting.remove();
      next.begin(bytes);
    }
  }

  /**
   * Refuses all that was sent before now, because its clients are being closed: they may go on
   * elsewhere, and nothing of theirs may be done after that. Called on the shard's event loop,
   * after the clients' event loops were told to close them.
   */
  public void refuseSent() {
    refusing++;
    proceed();
    // their closing, then this: what comes after it is of other clients
    LoopTasks.execute(home, () -> outward.add(() -> refusing--));
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    boolean changes =
        options.exptime() != null || options.vivify() != null || options.recache() != null;
    read(() -> costs.ofRead(key, changes), (tier, end) -> tier.get(key, options, end), done);
  }

  @Override
  public void look(Key key, Consumer<GetOutcome> done) {
    read(() -> costs.ofRead(key, false), (tier, end) -> tier.look(key, end), done);
  }

  private void read(
      LongSupplier bytes,
      BiConsumer<ObjectTier, Consumer<GetOutcome>> call,
      Consumer<GetOutcome> done) {
    new Operation<>(
            bytes,
            (tier, end) ->
                call.accept(
                    tier,
                    outcome -> {
                      costs.read(outcome);
                      end.accept(separate(outcome));
                    }),
            NOT_READ,
            done,
            null)
        .send();
  }

  private static GetOutcome separate(GetOutcome outcome) {
    if (!(outcome instanceof GetOutcome.Found found)) {
      return outcome;
    }
    ByteBuf copy = copy(found.value());
    found.value().release();
    return new GetOutcome.Found(found.item(), copy);
  }

  private static ByteBuf copy(ByteBuf value) {
    int length = value.readableBytes();
    return PooledByteBufAllocator.DEFAULT
        .directBuffer(length)
        .writeBytes(value, value.readerIndex(), length);
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    new Operation<>(
            () -> costs.ofRead(key, false), (tier, end) -> tier.inspect(key, end), "", done, null)
        .send();
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    ByteBuf value = copy(command.value());
    StoreCommand own =
        new StoreCommand(
            command.key(),
            command.mode(),
            command.flags(),
            command.exptime(),
            command.cas(),
            command.invalidates(),
            value);
    new Operation<>(
            () -> costs.ofWrite(own.key(), value.readableBytes()),
            (tier, end) -> tier.store(own, end),
            NOT_WRITTEN,
            done,
            value)
        .send();
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    new Operation<>(
            () -> costs.ofWrite(command.key(), 0),
            (tier, end) -> tier.delete(command, end),
            NOT_WRITTEN,
            done,
            null)
        .send();
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    new Operation<>(
            () -> costs.ofWrite(command.key(), 0),
            (tier, end) -> tier.arithmetic(command, end),
            NumberOutcome.not(Status.UNAVAILABLE),
            done,
            null)
        .send();
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    new Operation<>(
            () -> RequestCosts.OVERHEAD_BYTES,
            (tier, end) -> tier.statistics(group, end),
            Map.<String, Long>of(),
            done,
            null)
        .send();
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    new Operation<>(
            () -> RequestCosts.OVERHEAD_BYTES,
            (tier, end) -> tier.flushAll(delaySeconds, end),
            NOT_WRITTEN,
            done,
            null)
        .send();
  }
}
