package io.counterpart.cache.shards;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.RequestCosts;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.PassingTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.TierCall;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A shard for the clients of another event loop than its own. Operations reach the shard in the
 * order of their calls, and answers return in the order in which they become known.
 *
 * <p><em>Buffers:</em> none is used by two threads at once. A value is copied before it crosses, in
 * either direction: a pooled buffer has one view for its checksums, and its owner may write into it
 * once it has the answer.
 *
 * <p><em>Memory:</em> an operation waits for memory of the shard's budget for other event loops, as
 * a request from another proxy does. Who has memory of that budget waits for no other, so two event
 * loops never wait for each other. What has waited for too long is not begun: its client may have
 * given it up, and written anew elsewhere.
 *
 * <p>Belongs to the clients' event loop, except {@link #refuse} and {@link #refuseNoMore}.
 */
public final class LoopCrossing extends PassingTier {
  private static final WriteOutcome NOT_WRITTEN = WriteOutcome.not(Status.UNAVAILABLE);
  private static final GetOutcome NOT_READ = new GetOutcome.None(Status.UNAVAILABLE);

  private final ObjectTier shard;
  private final RequestCosts costs;
  private final CrossingQueue queue;

  /**
   * @param home the clients' event loop
   * @param shard on another event loop
   * @param budget of that event loop, for operations of others
   * @param end ends the process' use of the tier, because a fault has left its state unknown
   */
  public LoopCrossing(
      EventLoop home, ObjectTier shard, MemoryBudget budget, Consumer<IOException> end) {
    this(home, shard, budget, end, System::nanoTime);
  }

  /**
   * @param clockNanos tells how long operations have waited; for both event loops
   */
  LoopCrossing(
      EventLoop home,
      ObjectTier shard,
      MemoryBudget budget,
      Consumer<IOException> end,
      LongSupplier clockNanos) {
    this.shard = shard;
    this.costs = new RequestCosts(shard);
    this.queue = new CrossingQueue(home, budget, end, clockNanos);
  }

  /**
   * Refuses what is not begun yet, because its clients are about to be closed: they may go on
   * elsewhere, and nothing of theirs may be begun after that. {@link #refuseNoMore} ends it.
   * Thread-safe.
   */
  public void refuse() {
    queue.refuse();
  }

  /**
   * Ends {@link #refuse} for what is sent after the clients' closing. Called after their event loop
   * was told to close them. Thread-safe.
   */
  public void refuseNoMore() {
    queue.refuseNoMore();
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    boolean changes =
        options.exptime() != null || options.vivify() != null || options.recache() != null;
    read(() -> costs.ofRead(key, changes), end -> shard.get(key, options, end), done);
  }

  @Override
  public void look(Key key, Consumer<GetOutcome> done) {
    read(() -> costs.ofRead(key, false), end -> shard.look(key, end), done);
  }

  private void read(
      LongSupplier bytes, Consumer<Consumer<GetOutcome>> call, Consumer<GetOutcome> done) {
    queue.send(
        new CrossingQueue.Operation<>(
            bytes,
            end ->
                call.accept(
                    outcome -> {
                      costs.read(outcome);
                      end.accept(separate(outcome));
                    }),
            NOT_READ,
            done,
            null));
  }

  private static GetOutcome separate(GetOutcome outcome) {
    if (!(outcome instanceof GetOutcome.Found found)) {
      return outcome;
    }
    ByteBuf copy = copy(found.value());
    found.value().release();
    return new GetOutcome.Found(found.item(), copy);
  }

  /** In the heap: to release a pooled buffer on another thread than its own costs more. */
  private static ByteBuf copy(ByteBuf value) {
    return Unpooled.wrappedBuffer(ByteBufUtil.getBytes(value));
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    ByteBuf value = copy(command.value());
    StoreCommand own = command.with(value);
    queue.send(
        new CrossingQueue.Operation<>(
            () -> costs.ofWrite(own.key(), value.readableBytes()),
            end -> shard.store(own, end),
            NOT_WRITTEN,
            done,
            value));
  }

  /** Passes on an operation that has no value, and whose outcome has none. */
  @Override
  protected <T> void pass(TierCall<T> call, Consumer<T> done) {
    queue.send(
        new CrossingQueue.Operation<>(
            () -> bytes(call), end -> call.on(shard, end), call.unavailable(), done, null));
  }

  private long bytes(TierCall<?> call) {
    Key key = call.key();
    if (key == null) {
      return RequestCosts.OVERHEAD_BYTES;
    }
    return call.changes() ? costs.ofWrite(key, 0) : costs.ofRead(key, false);
  }
}
