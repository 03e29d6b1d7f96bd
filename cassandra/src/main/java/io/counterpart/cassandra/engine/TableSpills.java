package io.counterpart.cassandra.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.engine.flush.SpillsApart;
import io.counterpart.cassandra.engine.flush.StoreSpill;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.SpillSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.utils.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's spills, one after another, and the memtables that come before them. A spill is part of
 * a flush, but for stores with much in them: these go to sstables apart from flushes, before the
 * flush that needs them there is begun. Thread-safe.
 */
final class TableSpills {
  private static final Logger logger = LoggerFactory.getLogger(TableSpills.class);
  private static final Duration LONGEST_FLUSH = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(10);

  /** After a spill that failed, if nobody waits for the next one. */
  private static final Duration REST = Duration.ofMinutes(1);

  private final EngineTable table;
  private final SpillSteps steps;
  private final SpillsApart<StoreSpill> spills;
  private final Set<Thread> waited = ConcurrentHashMap.newKeySet();
  private volatile CompletableFuture<Void> recorded = CompletableFuture.completedFuture(null);

  // guarded by this
  private @Nullable EngineFlush last;
  private @Nullable StoreSpill apart;
  private @Nullable Long failedNanos;

  TableSpills(EngineTable table) {
    this.table = table;
    this.steps = new SpillSteps(table, this);
    this.spills = new SpillsApart<>(steps, this::execute);
  }

  /**
   * Runs a spill when others have ended. Who waits for it may have had other tables of the keyspace
   * flushed by then, and reads the sstables of all afterwards: none of them is absorbed meanwhile.
   */
  private void execute(Runnable spill) {
    table.absorption().hold();
    try {
      EngineTables.SHARED
          .spilling()
          .execute(
              () -> {
                try {
                  spill.run();
                } finally {
                  table.absorption().letGo();
                }
              });
    } catch (RuntimeException | Error e) {
      table.absorption().letGo();
      throw e;
    }
  }

  /**
   * Whether the stores have more than a flush takes to sstables, or are on their way there already.
   * Who asks may hold one of Cassandra's locks: a server's last answer is enough.
   */
  boolean isDue() {
    return spills.isUnderWay()
        || (table.stores().isOnServer()
            ? SpillSize.isMuch(table.bytes().getAsLong())
            : steps.isMuch());
  }

  /**
   * Has all that the stores have go to sstables apart from flushes.
   *
   * @return done when these are live; what has failed is for the caller to tell
   */
  CompletableFuture<Void> begin(String reason) {
    return spills.begin(reason);
  }

  /**
   * Flushes the newest memtable; it is asked by the same thread, and waits for no further spill.
   */
  Future<?> flushOnce(ColumnFamilyStore.FlushReason reason) {
    waited.add(Thread.currentThread());
    try {
      return table.table().forceFlush(reason);
    } finally {
      waited.remove(Thread.currentThread());
    }
  }

  /** Whether who asks has waited for a spill already: once, whatever comes meanwhile. */
  boolean hasWaited() {
    return waited.contains(Thread.currentThread());
  }

  /**
   * As {@link #isDue}; the stores are on their way then, unless that has failed just now, or would
   * hold up others. Nobody waits for it.
   */
  boolean spillsApart(String reason) {
    if (!isDue()) {
      return false;
    }
    // whoever has begun one that is under way is told of its failure
    if (!spills.isUnderWay() && !rests() && EngineTables.SHARED.spilling().isIdle()) {
      begin(reason).whenComplete((done, failure) -> ended(failure));
    }
    return true;
  }

  /**
   * Whether a table that has got another configuration stays on its engine for a while: until most
   * of its stores are in sstables. A flush in between waits for that.
   */
  boolean leavesLater() {
    if (table.server().isAway() || !isDue()) {
      return false;
    }
    // as with the flush that leaves: a replay after a death in between goes on from here
    recorded = CompletableFuture.runAsync(() -> table.log().record());
    recorded.whenComplete((done, failure) -> told(failure));
    begin(FlushDecision.LEAVES.reason())
        .whenComplete(
            (done, failure) -> {
              ended(failure);
              leave();
            });
    return true;
  }

  /** Done when the position that leaves with the stores is in Cassandra's own record. */
  CompletableFuture<Void> recorded() {
    return recorded;
  }

  private synchronized void ended(@Nullable Throwable failure) {
    if (failure != null) {
      failedNanos = System.nanoTime();
      logger.warn("Cannot spill the stores of {}: they stay", table.table().metadata, failure);
    }
  }

  /** The flush that leaves records it again. */
  private void told(@Nullable Throwable failure) {
    if (failure != null) {
      logger.warn("Cannot record the log's position of {}", table.table().metadata, failure);
    }
  }

  /** Also where the spill has failed: then the flush tries again. */
  private void leave() {
    ColumnFamilyStore cfs = table.table();
    try {
      if (!table.isClosed()
          && cfs.getTracker().getView().getCurrentMemtable() instanceof EngineMemtable current
          && current.isOf(table)
          && current.leaves()) {
        cfs.signalFlushRequired(current, ColumnFamilyStore.FlushReason.SCHEMA_CHANGE);
      }
    } catch (RuntimeException e) {
      logger.error("{} leaves its engine with its next flush", cfs.metadata, e);
    }
  }

  private synchronized boolean rests() {
    Long failure = failedNanos;
    return failure != null && System.nanoTime() - failure < REST.toNanos();
  }

  /** Whether a spill apart from flushes has not let go of its stores. */
  boolean isApart() {
    return spills.isRunning();
  }

  /** Freezes the stores for a spill, after older memtables are in them; failed ones stay. */
  List<Generation> freeze(EngineFlush spill, EngineMemtable memtable) {
    awaitUntil(() -> !hasOlder(memtable) && takesTurn(spill, null));
    return table.stores().freeze();
  }

  /**
   * Whether no other spill is under way that may still fail; then this one is.
   *
   * @param flush that spills; null for none
   * @param next a spill apart from flushes; null for none
   */
  private boolean takesTurn(@Nullable EngineFlush flush, @Nullable StoreSpill next) {
    EngineFlush before;
    synchronized (this) {
      if (isSpilling() || apart != null && !apart.isLive()) {
        return false;
      }
      if (apart != null) {
        apart.markSpilled();
      }
      before = last;
      last = flush;
      apart = next;
    }
    if (before != null && before.ofMemtable().isCommitted()) {
      before.markSpilled();
    } else if (before != null && before.ofMemtable().isAborted()) {
      before.abandon();
    }
    return true;
  }

  /** A spill is over: it would keep its memtable. */
  synchronized void forget(EngineFlush spill) {
    if (last == spill) {
      last = null;
    }
  }

  /** Waits until no other spill is under way that may still fail. */
  void takeTurn(StoreSpill spill) {
    awaitUntil(() -> takesTurn(null, spill));
  }

  /** Lets others have the turn. */
  synchronized void giveTurn(StoreSpill spill) {
    if (apart == spill) {
      apart = null;
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
   * flush that is repeated may come after a younger one. A spill apart takes its time.
   */
  private void awaitUntil(BooleanSupplier isTurn) {
    long start = System.nanoTime();
    while (!isTurn.getAsBoolean()) {
      if (isWritingApart()) {
        start = System.nanoTime();
      }
      if (System.nanoTime() - start > LONGEST_FLUSH.toNanos()) {
        throw new IllegalStateException(
            "a flush of %s before this one has not ended in %s, so its data would be missing"
                .formatted(table.table().metadata, LONGEST_FLUSH));
      }
      Uninterruptibles.sleepUninterruptibly(POLL);
    }
  }

  private synchronized boolean isWritingApart() {
    return apart != null && apart.isWriting();
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
