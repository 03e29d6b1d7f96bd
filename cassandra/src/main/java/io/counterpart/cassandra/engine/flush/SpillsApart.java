package io.counterpart.cassandra.engine.flush;

import io.counterpart.core.engine.SpillSize;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's spills apart from flushes, one after another: whoever asks while one is under way waits
 * for that one. What has come meanwhile is taken in further rounds, if it is much. Thread-safe.
 *
 * @param <S> one round's spill
 */
public final class SpillsApart<S> {
  private static final Logger logger = LoggerFactory.getLogger(SpillsApart.class);

  private final Steps<S> steps;
  private final Executor threads;

  // guarded by this
  private @Nullable CompletableFuture<Void> underWay;
  private int running;

  /** What a spill does, in this order; several rounds repeat the middle three. */
  public interface Steps<S> {

    /** Nothing is absorbed from now on. */
    void begin(String reason);

    /** Takes the stores as they are. */
    S freeze();

    /** Writes sstables, which are live afterwards. */
    void write(S spill);

    /** Lets go of stores whose sstables are live, when nobody reads them any more. */
    void release(S spill);

    /**
     * Has a release that has failed tried again later, until it succeeds.
     *
     * @param release fails if it fails again
     */
    void repeat(Runnable release);

    /** The end of all, whatever failed. */
    void end();

    /** Whether the stores have much that is in no sstables. */
    boolean isMuch();
  }

  /**
   * @param threads take a spill each
   */
  public SpillsApart(Steps<S> steps, Executor threads) {
    this.steps = steps;
    this.threads = threads;
  }

  /**
   * Begins one, unless one is under way.
   *
   * @param reason for operators, a phrase
   * @return done when the sstables are live
   */
  public synchronized CompletableFuture<Void> begin(String reason) {
    CompletableFuture<Void> known = underWay;
    if (known != null) {
      return known;
    }
    CompletableFuture<Void> begun = new CompletableFuture<>();
    underWay = begun;
    running++;
    try {
      threads.execute(() -> run(begun, reason));
      return begun;
    } catch (RuntimeException | Error e) {
      // the latter where there is no memory for a thread
      forget(begun);
      leave();
      throw e;
    }
  }

  /** Whether one has begun whose sstables are not live. */
  public synchronized boolean isUnderWay() {
    return underWay != null;
  }

  /** Whether one has begun that has not let go of its stores. */
  public synchronized boolean isRunning() {
    return running > 0;
  }

  private void run(CompletableFuture<Void> spill, String reason) {
    try {
      steps.begin(reason);
      try {
        rounds(spill);
      } finally {
        steps.end();
      }
    } catch (RuntimeException | Error e) {
      fail(spill, e);
    } finally {
      leave();
    }
  }

  private void rounds(CompletableFuture<Void> spill) {
    for (int round = 1; ; round++) {
      S next = steps.freeze();
      steps.write(next);
      boolean isLast = !SpillSize.goesOn(round, steps.isMuch());
      if (isLast) {
        forget(spill);
        spill.complete(null);
      }
      release(next);
      if (isLast) {
        return;
      }
    }
  }

  /** Stores that stay count as those of a spill that runs: nobody may close them. */
  private void release(S spill) {
    try {
      steps.release(spill);
    } catch (RuntimeException | Error e) {
      enter();
      steps.repeat(() -> releaseAgain(spill));
      throw e;
    }
  }

  private void releaseAgain(S spill) {
    steps.release(spill);
    leave();
  }

  private void fail(CompletableFuture<Void> spill, Throwable failure) {
    forget(spill);
    if (!spill.completeExceptionally(failure)) {
      logger.error("Stores whose data is in sstables stay until the next try", failure);
    }
  }

  private synchronized void forget(CompletableFuture<Void> spill) {
    if (underWay == spill) {
      underWay = null;
    }
  }

  private synchronized void enter() {
    running++;
  }

  private synchronized void leave() {
    running--;
  }
}
