package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.shard.StripeBudget;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves all items to their servers after a change of servers: visits the stripes, several at once,
 * beside clients' requests. Running it again moves the items that are left. Belongs to the shard's
 * event loop.
 */
public final class Migration {
  private static final Logger logger = LoggerFactory.getLogger(Migration.class);
  private static final int RETRY_MILLIS = 500;

  private final Shard shard;
  private final GuardedLoop loop;
  private final Step step;
  private final Runnable done;
  private final StripeBudget underWay;
  private final WaitMessages messages = new WaitMessages();
  private int nextStripe;
  private boolean proceeding;
  private boolean isComplete = true;

  /** Whether all stripes of this pass have been visited; stays true after the last pass. */
  private boolean isThrough;

  /** The way in which a stripe's items move when servers change. */
  public interface Step {
    /** Number of stripes whose items move at once; it hides the servers' latency. */
    int stripesAtOnce();

    /**
     * Moves the items of a stripe.
     *
     * @param moved gets whether all were moved
     */
    void begin(int stripe, Consumer<Boolean> moved);

    /**
     * Ends the work that was begun for the stripes so far.
     *
     * @param moved gets whether all items were moved
     */
    default void end(Consumer<Boolean> moved) {
      moved.accept(true);
    }
  }

  Migration(Shard shard, GuardedLoop loop, Step step, Runnable done) {
    this.shard = shard;
    this.loop = loop;
    this.step = step;
    this.done = done;
    this.underWay = new StripeBudget(shard, step.stripesAtOnce());
  }

  void begin() {
    proceed();
  }

  /** Number of stripes still to visit. */
  int stripesLeft() {
    return shard.stripes().end() - nextStripe + underWay.count();
  }

  private void proceed() {
    if (proceeding || isThrough) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (nextStripe < shard.stripes().end() && underWay.admits(nextStripe)) {
      int stripe = nextStripe++;
      Runnable end = underWay.begin(stripe);
      step.begin(
          stripe,
          moved -> {
            isComplete &= moved;
            end.run();
            proceed();
          });
    }
    proceeding = false;
    if (underWay.count() == 0) {
      isThrough = true;
      step.end(
          moved -> {
            isComplete &= moved;
            endPass();
          });
    }
  }

  /**
   * Begins another pass for items that stayed where they were, because their new server was down or
   * had no memory.
   */
  private void endPass() {
    if (isComplete) {
      done.run();
      return;
    }
    messages
        .next(
            "items could not be moved to where they belong; trying again",
            shard.placement().unusable())
        .ifPresent(logger::warn);
    isComplete = true;
    nextStripe = 0;
    loop.schedule(
        () -> {
          isThrough = false;
          proceed();
        },
        RETRY_MILLIS,
        TimeUnit.MILLISECONDS);
  }
}
