package io.counterpart.cache.forward;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.PassingTier;
import io.counterpart.cache.tier.TierCall;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tier through its present owner, in this process or another one. While no owner is known,
 * operations wait in order for a limited time and are then unavailable. Belongs to its event loop.
 */
public final class FailoverTier extends PassingTier {
  private static final int MOST_WAITING = 16_384;

  private final ForwardStatistics statistics;
  private final TimedQueue<Waiting> waiting;
  private final TimedQueue<Runnable> unanswered;
  private @Nullable ObjectTier owner;

  /** Whether what has waited is being passed on: what an answer lets in then comes after it. */
  private boolean isPassingOn;

  /** An operation without an owner. */
  private record Waiting(Consumer<ObjectTier> operation, Runnable unavailable) {}

  /** A tier whose owner is not known yet. */
  public FailoverTier(EventLoop loop, ForwardStatistics statistics) {
    this.statistics = statistics;
    waiting = new TimedQueue<>(loop, ForwardLimits.NO_OWNER, this::refuse);
    unanswered =
        new TimedQueue<>(loop, ForwardLimits.REQUEST_AGE.plus(ForwardLimits.MARGIN), Runnable::run);
  }

  /**
   * Uses a tier for all operations from now on. Any operation that was sent to the previous owner
   * is done by now, or never.
   */
  public void use(ObjectTier tier) {
    owner = tier;
    isPassingOn = true;
    try {
      unanswered.drainTo(Runnable::run);
      while (owner == tier && waiting.size() > 0) {
        waiting.drainTo(operation -> operation.operation().accept(tier));
      }
    } finally {
      isPassingOn = false;
    }
  }

  /** The tier for an operation; null if that has to wait. */
  private @Nullable ObjectTier present() {
    return isPassingOn ? null : owner;
  }

  /** Makes operations wait from now on, if this tier was used last. */
  public void lose(ObjectTier lost) {
    if (owner == lost) {
      owner = null;
    }
  }

  /**
   * Defers the outcome of an operation that was sent and has no answer until the operation is done
   * or never will be. So it undoes no later operation.
   */
  void unanswered(Runnable end) {
    statistics.unanswered().increment();
    unanswered.add(end);
  }

  /** Refuses what waits: its clients are closed, and may have gone on elsewhere. */
  public void refuseWaiting() {
    waiting.drainTo(this::refuse);
  }

  private void refuse(Waiting operation) {
    statistics.refused().increment();
    operation.unavailable().run();
  }

  /** Most operations are reads: these cost no object each. */
  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    ObjectTier current = present();
    if (current != null) {
      current.get(key, options, done);
    } else {
      super.get(key, options, done);
    }
  }

  @Override
  protected <T> void pass(TierCall<T> call, Consumer<T> done) {
    ObjectTier current = present();
    if (current != null) {
      call.on(current, done);
      return;
    }
    Waiting one = new Waiting(tier -> call.on(tier, done), () -> done.accept(call.unavailable()));
    if (waiting.size() < MOST_WAITING) {
      waiting.add(one);
    } else {
      refuse(one);
    }
  }

  @Override
  public long readBytes(Key key) {
    return owner == null ? UNKNOWN : owner.readBytes(key);
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return owner == null ? super.writeBytes(key, valueBytes) : owner.writeBytes(key, valueBytes);
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    if (owner == null) {
      done.accept(Map.of());
    } else {
      owner.statistics(group, done);
    }
  }
}
