package io.counterpart.cache.forward;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.PassingTier;
import io.counterpart.cache.tier.TierCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations under way on a tier that may end. One that has ended answers nothing more, as if
 * its process had died; the memory of its clients' requests would be held for ever. Belongs to the
 * tier's event loop.
 */
public final class OpenOperations {
  private static final Logger logger = LoggerFactory.getLogger(OpenOperations.class);

  /** The operation that began last; the others are before it. */
  private @Nullable Operation<?> last;

  private boolean ended;

  /** One operation, in a list with both neighbours: they end in any order. */
  private final class Operation<T> implements Consumer<T> {
    private final Consumer<T> done;
    private final T unavailable;
    private @Nullable Operation<?> before;
    private @Nullable Operation<?> after;
    private boolean isAnswered;

    Operation(Consumer<T> done, T unavailable) {
      this.done = done;
      this.unavailable = unavailable;
      before = last;
      if (before != null) {
        before.after = this;
      }
      last = this;
    }

    @Override
    public void accept(T outcome) {
      if (isAnswered) {
        if (outcome instanceof GetOutcome.Found found) {
          found.value().release(); // a late answer of the store behind the tier
        }
        return;
      }
      isAnswered = true;
      if (before != null) {
        before.after = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.before = before;
      }
      done.accept(outcome);
    }

    void end() {
      try {
        accept(unavailable);
      } catch (RuntimeException e) {
        logger.error("an operation of a tier that has ended cannot be answered", e);
      }
    }
  }

  /**
   * Answers all operations that have no answer, since they will get none. Their effect is unknown,
   * so their clients have to be gone by now, and the tier does not use their values any more.
   */
  public void end() {
    ended = true;
    for (Operation<?> open = last; open != null; open = last) {
      open.end();
    }
  }

  private <T> Consumer<T> begun(Consumer<T> done, T unavailable) {
    return ended ? done : new Operation<>(done, unavailable);
  }

  /** A tier whose operations are known here. */
  public ObjectTier on(ObjectTier tier) {
    return new Known(tier);
  }

  private final class Known extends PassingTier {
    private final ObjectTier tier;

    Known(ObjectTier tier) {
      this.tier = tier;
    }

    @Override
    public long readBytes(Key key) {
      return tier.readBytes(key);
    }

    @Override
    public long writeBytes(Key key, int valueBytes) {
      return tier.writeBytes(key, valueBytes);
    }

    @Override
    protected <T> void pass(TierCall<T> call, Consumer<T> done) {
      call.on(tier, begun(done, call.unavailable()));
    }
  }
}
