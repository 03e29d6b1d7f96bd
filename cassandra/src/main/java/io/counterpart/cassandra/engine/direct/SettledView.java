package io.counterpart.cassandra.engine.direct;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * Whether all reads of a table have found its present memtables and sstables.
 *
 * <p>A read finds these first, and what the store has afterwards. Were older data merged into the
 * store in between, and then the deletion that hides it purged, the read would return the data and
 * miss the deletion. So nothing is purged before the reads have ended that may have found something
 * else. Thread-safe.
 */
final class SettledView {
  private final Supplier<?> view;
  private final OpOrder reads;

  /** Weak, since a view has memtables, whose memory is free once they are flushed. */
  private WeakReference<Object> settled = new WeakReference<>(null);

  private @Nullable Pending pending;

  /**
   * Reads that are waited for.
   *
   * @param last of them, weak too: those that run are held by their order, and a group that has
   *     ended holds all later ones
   */
  private record Pending(WeakReference<Object> view, WeakReference<OpOrder.Group> last) {

    boolean hasEnded() {
      OpOrder.Group group = last.get();
      return group == null || group.isFinished();
    }
  }

  /**
   * @param view of the memtables and sstables: another object whenever there are others
   * @param reads each finds its view after it began
   */
  SettledView(Supplier<?> view, OpOrder reads) {
    this.view = view;
    this.reads = reads;
  }

  /** Waits for no read. */
  synchronized boolean isSettled() {
    Object now = view.get();
    if (settled.refersTo(now)) {
      return true;
    }
    Pending earlier = pending;
    if (earlier == null || !earlier.view().refersTo(now)) {
      OpOrder.Barrier barrier = reads.newBarrier();
      barrier.issue();
      earlier = new Pending(new WeakReference<>(now), new WeakReference<>(barrier.getSyncPoint()));
      pending = earlier;
    }
    if (!earlier.hasEnded()) {
      return false;
    }
    settle(now);
    pending = null;
    return true;
  }

  /**
   * Returns when all reads have ended that began before. Not for those for whom a read may wait.
   */
  void await() {
    Object now = view.get();
    reads.awaitNewBarrier();
    settle(now);
  }

  private synchronized void settle(Object now) {
    settled = new WeakReference<>(now);
  }
}
