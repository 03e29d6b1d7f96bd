package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.KeyspaceSpills;
import io.counterpart.cassandra.engine.flush.RoomForSSTables;
import io.counterpart.cassandra.engine.flush.TableQuiet;
import io.counterpart.cassandra.engine.flush.WaitingSSTables;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.share.ShareOfSSTables;
import io.counterpart.core.engine.AbsorptionDecision;
import io.counterpart.core.engine.AbsorptionFacts;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a table's sstables into its store, one after another, in the background: those from before
 * the table came to the engine, those of spills, and those that streams brought.
 *
 * <p>A spill pauses it: who wants all of a table in sstables must not see them go. Thread-safe.
 */
final class SSTableAbsorption {
  private static final Logger logger = LoggerFactory.getLogger(SSTableAbsorption.class);

  private final EngineTable table;
  private final KeyspaceSpills keyspace;
  private final TableQuiet quiet;
  private final ShareOfSSTables shares = new ShareOfSSTables();
  private volatile @Nullable Duration delay;

  /** Sstables whose absorption failed: they must not keep the others waiting. */
  private final Set<SSTableReader> failed = new HashSet<>();

  // guarded by this
  private int spills;
  private boolean writing;

  /**
   * @param keyspace the spills of the table's keyspace
   * @param delay least time after a spill; null for never
   */
  SSTableAbsorption(EngineTable table, KeyspaceSpills keyspace, @Nullable Duration delay) {
    this.table = table;
    this.keyspace = keyspace;
    this.quiet = new TableQuiet(keyspace);
    this.delay = delay;
  }

  /** Changes the delay. */
  void after(@Nullable Duration next) {
    delay = next;
  }

  /** What would be done now, and why. */
  AbsorptionDecision decision() {
    return AbsorptionDecision.of(
        new AbsorptionFacts(
            table.nextRoutineFlush(),
            table.isCurrent(),
            !table.table().isAutoCompactionDisabled(),
            keyspace.running(),
            quiet.time(),
            delay));
  }

  /**
   * What would be done now, for operators. May read indexes of sstables.
   *
   * @param belonging sstables with copies that belong in the store
   */
  String state(Collection<SSTableReader> belonging) {
    AbsorptionDecision decision = decision();
    return decision.absorbs()
        ? decision.reason() + WaitingSSTables.among(belonging, own())
        : decision.reason();
  }

  /** Takes in what there is. Not to be called twice at once. */
  void run() {
    if (!table.stores().absorbs()
        || !StorageService.instance.isInitialized()
        || table.table().getLiveSSTables().isEmpty()
        || !isQuiet()) {
      return;
    }
    CopyShare share = table.copies().now();
    for (SSTableReader sstable : candidates(share)) {
      if (RoomForSSTables.mayHide(sstable, table.table().getLiveSSTables()) && keepsSome()) {
        continue;
      }
      // the decision asks stores, so not where there is nothing to do
      if (table.isClosed() || !decision().absorbs()) {
        return;
      }
      LifecycleTransaction transaction =
          RoomForSSTables.fit(table.stores(), List.of(sstable))
              ? table.table().getTracker().tryModify(sstable, OperationType.COMPACTION)
              : null;
      if (transaction != null && isStillCandidate(transaction, share) && !isAbsorbed(transaction)) {
        return;
      }
    }
  }

  /** A repair session may have taken the sstable in between, or the ring or a pause has changed. */
  private boolean isStillCandidate(LifecycleTransaction transaction, CopyShare share) {
    boolean isCandidate = false;
    try {
      // TRUNCATE, which pauses compactions, has looked for those that run by then
      isCandidate =
          !table.table().isAutoCompactionDisabled()
              && WaitingSSTables.isFree(transaction.onlyOne(), own())
              && share.equals(table.copies().now());
      return isCandidate;
    } finally {
      if (!isCandidate) {
        transaction.close();
      }
    }
  }

  private boolean isAbsorbed(LifecycleTransaction transaction) {
    try {
      new AbsorbTask(this, table, transaction).execute(CompactionManager.instance.active);
      return true;
    } catch (CompactionInterruptedException e) {
      logger.info("The absorption of {} was stopped; it goes on later", transaction.originals());
    } catch (RuntimeException | Error e) { // an sstable that cannot be read is an error
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Cannot absorb {}; the next try is later", transaction.originals(), e);
      table.server().note(e);
      failed.addAll(transaction.originals());
    }
    quiet.failed();
    return false;
  }

  /**
   * Small ones first, deletions after what they may hide, those last that failed before; none with
   * copies that do not belong in the store.
   */
  private List<SSTableReader> candidates(CopyShare share) {
    Set<SSTableReader> live = table.table().getLiveSSTables();
    Set<SSTableReader> compacting = table.table().getTracker().getCompacting();
    List<SSTableReader> belonging =
        shares.of(share, live).stream().filter(each -> !compacting.contains(each)).toList();
    if (belonging.isEmpty()) {
      return List.of();
    }
    failed.retainAll(live);
    Set<Range<Token>> own = own();
    return belonging.stream()
        .filter(sstable -> WaitingSSTables.isFree(sstable, own))
        .sorted(
            Comparator.<SSTableReader, Boolean>comparing(failed::contains)
                .thenComparing(SSTableReader::mayHaveTombstones)
                .thenComparingLong(SSTableReader::onDiskLength))
        .toList();
  }

  /**
   * Whether sstables of the store's copies stay beside a store that ends with the process.
   * Deletions in that store alone must not hide what they have: after a crash it would come back.
   */
  boolean keepsSome() {
    Set<SSTableReader> live = table.table().getLiveSSTables();
    if (!table.stores().isVolatile() || live.isEmpty()) {
      return false;
    }
    CopyShare share = table.copies().now();
    List<SSTableReader> belonging = shares.of(share, live);
    return shares.hasParts(share, live)
        || !belonging.isEmpty()
            && (delay == null
                || table.table().isAutoCompactionDisabled()
                || !RoomForSSTables.fit(table.stores(), belonging)
                || !areCandidates(belonging));
  }

  private boolean areCandidates(List<SSTableReader> sstables) {
    return !StorageService.instance.isInitialized() // the node's ranges are not known
        || sstables.stream().allMatch(sstable -> WaitingSSTables.isFree(sstable, own()));
  }

  private Set<Range<Token>> own() {
    return StorageService.instance.getLocalReplicas(table.table().getKeyspaceName()).ranges();
  }

  private boolean isQuiet() {
    Duration least = delay;
    return least != null && keyspace.running() == 0 && quiet.time().compareTo(least) >= 0;
  }

  /** A compaction is about to write to the store. */
  synchronized void begun() {
    checkGoesOn();
    if (!isQuiet()) {
      throw stopped();
    }
    writing = true;
  }

  /** It has ended, one way or the other. */
  synchronized void ended() {
    writing = false;
    notifyAll();
  }

  /**
   * @throws CompactionInterruptedException if a spill waits
   */
  synchronized void checkGoesOn() {
    if (spills > 0 || !table.isCurrent()) {
      throw stopped();
    }
  }

  private CompactionInterruptedException stopped() {
    return new CompactionInterruptedException(
        "absorption of " + table.table().metadata + " for a spill");
  }

  /**
   * Whether a table that is empty beside its sstables need not be flushed: who asks is about to
   * read sstables, which stay for a while then. Before, it may wait for all flushes of the node.
   *
   * @param delta any memtable but the table's newest
   */
  boolean leavesSSTables(Memtable delta) {
    if (ScheduledExecutors.scheduledTasks.inExecutor()) {
      // the timer of memtable_flush_period_in_ms: nobody reads sstables
      return true;
    }
    if (isWriting()) {
      return false;
    }
    // flushes nothing, since it is not the newest
    keyspace.touch(() -> table.table().signalFlushRequired(delta, FlushReason.INTERNALLY_FORCED));
    return true;
  }

  private synchronized boolean isWriting() {
    keyspace.touch();
    return writing;
  }

  /** A spill is asked for, and may wait for a thread: no absorption begins in the keyspace. */
  void hold() {
    keyspace.begin();
  }

  /** That spill is over, or does not come. */
  void letGo() {
    keyspace.end();
  }

  /** A spill begins: returns when nothing is taken in any more, until {@link #resume}. */
  synchronized void pause() {
    spills++;
    keyspace.begin();
    boolean interrupted = false;
    while (writing) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The spill has ended. */
  synchronized void resume() {
    spills--;
    keyspace.end();
  }
}
