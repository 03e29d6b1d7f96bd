package io.counterpart.cassandra.engine;

import com.google.common.collect.Iterables;
import com.google.common.collect.Iterators;
import io.counterpart.cassandra.engine.flush.FlushSet;
import io.counterpart.cassandra.engine.flush.IndexRebuild;
import io.counterpart.cassandra.engine.flush.SpilledPartitions;
import io.counterpart.cassandra.engine.server.SlowServerException;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flush of one memtable: parts, one for each data directory, that are all absorbed or all
 * spilled. Cassandra asks for all parts before it writes any; the parts run on its flush threads.
 */
final class EngineFlush {
  private static final Logger logger = LoggerFactory.getLogger(EngineFlush.class);

  private final EngineTable table;
  private final EngineMemtable memtable;
  private final FlushCause cause;
  private volatile FlushDecision decision;

  /** What is absorbed; other copies go to sstables. The same for all parts. */
  private final CopyShare share;

  private final AtomicInteger unabsorbed = new AtomicInteger();
  private volatile List<Generation> frozen = List.of();

  /** Open until its end is reached. */
  private final Queue<UnfilteredPartitionIterator> reading = new ConcurrentLinkedQueue<>();

  /** Done when the position that leaves with the stores is in Cassandra's own record. */
  private volatile CompletableFuture<Void> recorded = CompletableFuture.completedFuture(null);

  private volatile long truncations;
  private volatile boolean paused;

  EngineFlush(
      EngineTable table,
      EngineMemtable memtable,
      CopyShare share,
      FlushCause cause,
      FlushDecision decision) {
    this.table = table;
    this.memtable = memtable;
    this.share = share;
    this.cause = cause;
    this.decision = decision;
  }

  /** A spill freezes the stores, once all older memtables are in them. */
  void begin() {
    decision = memtable.flush().target(cause, decision);
    if (cause == FlushCause.DROP && decision.equals(FlushDecision.BYPASS)) {
      logger.error("A snapshot of {} lacks its stores: {}", memtable.metadata(), decision.reason());
    }
    if (!decision.spills()) {
      // most have ended when the first deletion might be purged
      table.direct().beginToSettle();
      return;
    }
    boolean frozenNow = false;
    table.absorption().pause();
    try {
      truncations = table.truncations().count();
      frozen = table.spills().freeze(this, memtable);
      frozenNow = true;
    } catch (StoreClosedException dropped) {
      throw dropped;
    } catch (StoreAwayException e) {
      // whoever asked is told; the disk is well
      table.server().note(e);
      throw e;
    } catch (StoreException e) {
      throw writeError(e);
    } finally {
      if (!frozenNow) {
        table.absorption().resume();
      }
    }
    paused = true;
    if (cause == FlushCause.LEAVING) {
      // not here: it waits for a flush, which may need this thread
      recorded = CompletableFuture.runAsync(() -> table.log().record());
    }
    if (!frozen.isEmpty()) {
      logger.info(
          "Spilling the stores of {} to sstables: {}", memtable.metadata(), decision.reason());
    }
  }

  /** A store that fails is a disk that fails, for disk_failure_policy, unless it is a server. */
  private FSWriteError writeError(StoreException e) {
    if (table.stores().isOnServer()) {
      throw e;
    }
    return new FSWriteError(e, new File(table.stores().directory()));
  }

  Memtable.FlushablePartitionSet<?> part(Memtable.FlushablePartitionSet<?> delta) {
    return switch (decision.target()) {
      case ABSORB -> absorbed(delta);
      case SPILL -> spilled(delta);
      case BYPASS -> alone(delta, () -> all(delta));
    };
  }

  private FlushSet absorbed(Memtable.FlushablePartitionSet<?> delta) {
    unabsorbed.incrementAndGet();
    return alone(delta, () -> share.isAll() ? absorbWhole(delta) : absorbShare(delta));
  }

  /** Nothing comes from the store. */
  private FlushSet alone(
      Memtable.FlushablePartitionSet<?> delta, Supplier<Iterator<Partition>> partitions) {
    return new FlushSet(
        memtable,
        delta,
        delta.columns(),
        delta.encodingStats(),
        new FlushSet.Sizes(0, 0),
        partitions);
  }

  private static Iterator<Partition> all(Memtable.FlushablePartitionSet<?> delta) {
    return Iterators.unmodifiableIterator(delta.iterator());
  }

  private Iterator<Partition> absorbWhole(Memtable.FlushablePartitionSet<?> delta) {
    if (!isAbsorbed(delta)) {
      return all(delta);
    }
    if (unabsorbed.decrementAndGet() == 0) {
      memtable.cover();
    }
    return Collections.emptyIterator();
  }

  /** The memtable is covered when the sstables with the rest are live: not before it is gone. */
  private Iterator<Partition> absorbShare(Memtable.FlushablePartitionSet<?> delta) {
    boolean isAbsorbed =
        isAbsorbed(Iterables.filter(delta, partition -> share.has(partition.partitionKey())));
    return isAbsorbed
        ? Iterators.filter(all(delta), partition -> !share.has(partition.partitionKey()))
        : all(delta);
  }

  /**
   * Merges partitions into the store. If its server is away they go to sstables, also those that
   * are in the store already: a merge of both gives the same.
   */
  private boolean isAbsorbed(Iterable<? extends Partition> delta) {
    try {
      table.server().requireThere();
      table.stores().absorb(table.server().paced(delta), () -> table.direct().purgeRule(memtable));
      if (!Iterables.isEmpty(delta)) {
        table.server().took();
      }
      return true;
    } catch (StoreClosedException dropped) {
      throw dropped;
    } catch (SlowServerException | StoreAwayException e) {
      table.server().note(e);
      logger.info("The flush of {} writes sstables: {}", memtable.metadata(), e.getMessage());
      return false;
    } catch (StoreException e) {
      if (!table.stores().isOnServer()) {
        throw writeError(e);
      }
      logger.error("The flush of {} writes sstables", memtable.metadata(), e);
      return false;
    }
  }

  private FlushSet spilled(Memtable.FlushablePartitionSet<?> delta) {
    if (frozen.isEmpty()) {
      return alone(delta, () -> all(delta));
    }
    return new FlushSet(
        memtable,
        delta,
        SpilledPartitions.columns(memtable.metadata(), delta.columns()),
        SpilledPartitions.stats(delta.encodingStats(), frozen),
        FlushSet.Sizes.of(frozen),
        () -> withStored(delta));
  }

  private Iterator<Partition> withStored(Memtable.FlushablePartitionSet<?> delta) {
    List<UnfilteredPartitionIterator> stored =
        Generation.iterators(frozen, store -> store.between(delta.from(), delta.to()));
    if (stored.isEmpty()) {
      return all(delta);
    }
    UnfilteredPartitionIterator merged =
        UnfilteredPartitionIterators.merge(stored, UnfilteredPartitionIterators.MergeListener.NOOP);
    reading.add(merged);
    return new SpilledPartitions(delta.iterator(), merged, this::checkNotTruncated);
  }

  /**
   * The flush has failed, so its stores stay, also if the memtable is flushed later. Cassandra
   * leaves its iterators as they are.
   */
  void abandon() {
    frozen = List.of();
    for (var left = reading.poll(); left != null; left = reading.poll()) {
      left.close();
    }
    resume();
  }

  private synchronized void resume() {
    if (paused) {
      paused = false;
      table.absorption().resume();
    }
  }

  /** What a spill has read before a TRUNCATE must not come back in its sstables. */
  private void checkNotTruncated() {
    if (table.truncations().count() != truncations) {
      throw new IllegalStateException(memtable.metadata() + " was truncated during its flush");
    }
  }

  MemtableFlush ofMemtable() {
    return memtable.flush();
  }

  /** The sstables are live: later spills leave these stores out. */
  void markSpilled() {
    frozen.forEach(Generation::markSpilled);
  }

  /** The memtable is gone: its sstables are live, and no reader is left that began before. */
  void end() {
    // whoever wanted the sstables has them soon
    resume();
    recorded.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            logger.error(
                "Cannot record the commit log's position of {}, so its stores stay",
                memtable.metadata(),
                failure);
          } else {
            leave();
          }
        });
  }

  private void leave() {
    try {
      if (memtable.flush().isCommitted()) {
        drop();
      }
    } catch (StoreException e) {
      logger.error("Stores of {} stay, which are in sstables", memtable.metadata(), e);
    } finally {
      EngineTables.SHARED.leave(table);
    }
  }

  private void drop() {
    table.frozenStores().drop(frozen);
    table.spills().forget(this);
    // the build of an index reads the sstables itself; one before a repetition had none of these
    boolean maybeUnindexed = !frozen.isEmpty() || memtable.flush().isRepeated();
    if (maybeUnindexed && cause != FlushCause.BUILD) {
      IndexRebuild.of(table.table());
    }
  }
}
