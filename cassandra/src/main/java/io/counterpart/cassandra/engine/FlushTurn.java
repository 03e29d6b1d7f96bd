package io.counterpart.cassandra.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.utils.concurrent.UncheckedInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * A memtable's place among the flushes of its table. A flush waits until the one before has
 * settled: a spill must see what was absorbed before it, and what is absorbed after it must come
 * after the store has been cleared. Thread-safe.
 */
final class FlushTurn {
  private static final long POLL_MILLIS = 10;

  private final CountDownLatch settled = new CountDownLatch(1);
  private final BooleanSupplier givenUp;
  private volatile @Nullable FlushTurn previous;

  /**
   * @param givenUp whether the memtable's flush has failed or will not happen
   */
  FlushTurn(@Nullable FlushTurn previous, BooleanSupplier givenUp) {
    this.previous = previous;
    this.givenUp = givenUp;
  }

  /** The store is as this flush leaves it. */
  void settle() {
    settled.countDown();
  }

  /** Waits for the flush before. */
  void await() {
    FlushTurn before = previous;
    while (before != null && !before.isSettledWithin(POLL_MILLIS)) {
      if (before.givenUp.getAsBoolean()) {
        break;
      }
    }
    previous = null;
  }

  private boolean isSettledWithin(long millis) {
    try {
      return settled.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new UncheckedInterruptedException(e);
    }
  }
}
