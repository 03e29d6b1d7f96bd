package io.counterpart.cassandra.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.engine.store.Generation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.memtable.Memtable;
import org.jspecify.annotations.Nullable;

/** A table's spills, one after another, and the memtables that come before them. Thread-safe. */
final class TableSpills {
  private static final Duration LONGEST_FLUSH = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(10);

  private final EngineTable table;
  private @Nullable EngineFlush last;

  TableSpills(EngineTable table) {
    this.table = table;
  }

  /** Freezes the stores for a spill, after older memtables are in them; failed ones stay. */
  List<Generation> freeze(EngineFlush spill, EngineMemtable memtable) {
    awaitUntil(() -> !hasOlder(memtable) && !isSpilling());
    EngineFlush before;
    synchronized (this) {
      before = last;
      last = spill;
    }
    if (before != null && before.ofMemtable().isCommitted()) {
      before.markSpilled();
    } else if (before != null && before.ofMemtable().isAborted()) {
      before.abandon();
    }
    return table.stores().freeze();
  }

  /** A spill is over: it would keep its memtable. */
  synchronized void forget(EngineFlush spill) {
    if (last == spill) {
      last = null;
    }
  }

  /** A flush has failed, and its memtable is flushed once more. */
  void abandon(EngineFlush failed) {
    // in this order: the next spill must not take the memtable's flush for this one
    forget(failed);
    failed.abandon();
  }

  /**
   * Flushes begin in the order of memtables, so that the older ones have threads of their own. A
   * flush that is repeated may come after a younger one.
   */
  private void awaitUntil(BooleanSupplier isTurn) {
    long start = System.nanoTime();
    while (!isTurn.getAsBoolean()) {
      if (System.nanoTime() - start > LONGEST_FLUSH.toNanos()) {
        throw new IllegalStateException(
            "a flush of %s before this one has not ended in %s, so its data would be missing"
                .formatted(table.table().metadata, LONGEST_FLUSH));
      }
      Uninterruptibles.sleepUninterruptibly(POLL);
    }
  }

  private synchronized boolean isSpilling() {
    return last != null && !last.ofMemtable().isCommitted() && !last.ofMemtable().isAborted();
  }

  private boolean hasOlder(EngineMemtable than) {
    return memtables().stream()
        .anyMatch(each -> each.number() < than.number() && !each.flush().isAborted());
  }

  /** Memtables whose flush has failed, oldest first. */
  List<EngineMemtable> failed() {
    return memtables().stream().filter(each -> each.flush().isAborted()).toList();
  }

  private List<EngineMemtable> memtables() {
    List<EngineMemtable> found = new ArrayList<>();
    for (Memtable memtable : table.table().getTracker().getView().getAllMemtables()) {
      if (memtable instanceof EngineMemtable own && own.isOf(table)) {
        found.add(own);
      }
    }
    found.sort(Comparator.comparingLong(EngineMemtable::number));
    return found;
  }
}
