package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.PrimaryEngine;
import java.io.IOError;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.LeveledCompactionStrategy;
import org.apache.cassandra.db.compaction.UnifiedCompactionStrategy;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.utils.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The LSM-trees of a table, each run by a stock strategy that sees only the sstables given to it.
 * Not thread-safe: guarded by the owning strategy's lock.
 */
final class Trees {
  private static final Logger logger = LoggerFactory.getLogger(Trees.class);
  private static final Comparator<Map.Entry<Integer, AbstractCompactionStrategy>>
      BY_REMAINING_TASKS =
          Comparator.comparingInt(tree -> tree.getValue().getEstimatedRemainingTasks());

  /**
   * Time after which a look at the trees ends: after a change of the ring's version each one
   * computes the node's ranges anew, and flushes wait for the lock.
   */
  private static final long MOST_NANOS = 100_000_000;

  private final ColumnFamilyStore cfs;
  private final Supplier<AbstractCompactionStrategy> newTree;
  private final Map<Integer, AbstractCompactionStrategy> byId = new TreeMap<>();
  private final Map<SSTableReader, Integer> treeOf = new HashMap<>();
  private final IdleTrees idle = new IdleTrees();
  private boolean active;
  private boolean cutShort;

  Trees(ColumnFamilyStore cfs, DecoupledOptions options) {
    this(
        cfs,
        () ->
            options.engine() == PrimaryEngine.LCS
                ? new LeveledCompactionStrategy(cfs, options.engineOptions())
                : new UnifiedCompactionStrategy(cfs, options.engineOptions()));
  }

  /**
   * @param newTree makes a tree without sstables
   */
  Trees(ColumnFamilyStore cfs, Supplier<AbstractCompactionStrategy> newTree) {
    this.cfs = cfs;
    this.newTree = newTree;
  }

  AbstractCompactionStrategy tree(int id) {
    return byId.computeIfAbsent(
        id,
        unused -> {
          AbstractCompactionStrategy created = newTree.get();
          if (active) {
            created.startup();
          }
          return created;
        });
  }

  void setActive(boolean nowActive) {
    active = nowActive;
    idle.clear();
    for (AbstractCompactionStrategy tree : byId.values()) {
      if (nowActive) {
        tree.resume();
      } else {
        tree.pause();
      }
    }
  }

  void startup() {
    active = true;
    byId.values().forEach(AbstractCompactionStrategy::startup);
  }

  /** The trees have all their sstables: a leveled one learns which it compacted last. */
  void loaded() {
    if (active) {
      byId.values().forEach(AbstractCompactionStrategy::startup);
    }
  }

  void shutdown() {
    active = false;
    byId.values().forEach(AbstractCompactionStrategy::shutdown);
  }

  void add(int id, SSTableReader sstable) {
    replace(id, List.of(), List.of(sstable));
  }

  void remove(SSTableReader sstable) {
    Integer id = treeOf.remove(sstable);
    if (id != null) {
      tree(id).removeSSTable(sstable);
      idle.changed(id);
    }
  }

  /**
   * Swaps sstables of one tree for others; where none is removed they are just added. A leveled
   * tree may have to change a file's level: one that it refuses is in no tree, and the others are.
   */
  void replace(int id, Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    idle.changed(id);
    removed.forEach(treeOf::remove);
    added.forEach(sstable -> treeOf.put(sstable, id));
    Throwable refused =
        refusal(
            () -> {
              if (removed.isEmpty()) {
                tree(id).addSSTables(added);
              } else {
                tree(id).replaceSSTables(removed, added);
              }
            });
    if (refused != null) {
      logger.debug("Tree {} stopped half way, goes on one by one", id, refused);
      replaceOneByOne(id, removed, added);
    }
  }

  private void replaceOneByOne(
      int id, Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    removed.forEach(sstable -> remove(id, sstable));
    for (SSTableReader sstable : added) {
      // the first try may have added it, or a part of it
      remove(id, sstable);
      Throwable refused = refusal(() -> tree(id).addSSTable(sstable));
      if (refused != null) {
        treeOf.remove(sstable);
        remove(id, sstable);
        logger.error(
            "Cannot compact {} until the ring changes or the node restarts", sstable, refused);
      }
    }
  }

  private void remove(int id, SSTableReader sstable) {
    Throwable refused = refusal(() -> tree(id).removeSSTable(sstable));
    if (refused != null) {
      logger.error("Cannot remove {} from tree {}", sstable, id, refused);
    }
  }

  private static @Nullable Throwable refusal(Runnable call) {
    try {
      call.run();
      return null;
    } catch (RuntimeException | IOError | AssertionError refused) {
      return refused;
    }
  }

  @Nullable Integer idOf(SSTableReader sstable) {
    return treeOf.get(sstable);
  }

  /** Forgets every sstable and every tree: the ring changed, all is placed anew. */
  void clear() {
    byId.values().forEach(AbstractCompactionStrategy::shutdown);
    byId.clear();
    treeOf.clear();
    idle.clear();
  }

  void metadataChanged(StatsMetadata old, SSTableReader sstable) {
    Integer id = treeOf.get(sstable);
    if (id != null) {
      tree(id).metadataChanged(old, sstable);
      idle.changed(id);
    }
  }

  /** The next task of the tree with the most work; null where all that were asked are idle. */
  @Nullable AbstractCompactionTask next(long gcBefore) {
    long nowNanos = Clock.Global.nanoTime();
    Set<Integer> busy = busy();
    List<Map.Entry<Integer, AbstractCompactionStrategy>> busiestFirst =
        byId.entrySet().stream()
            .filter(tree -> !idle.isIdle(tree.getKey(), busy, nowNanos))
            .sorted(BY_REMAINING_TASKS.reversed())
            .toList();
    cutShort = false;
    int asked = 0;
    for (Map.Entry<Integer, AbstractCompactionStrategy> tree : busiestFirst) {
      if (asked > 0 && Clock.Global.nanoTime() - nowNanos > MOST_NANOS) {
        cutShort = true;
        return null;
      }
      asked++;
      AbstractCompactionTask task = tree.getValue().getNextBackgroundTask(gcBefore);
      if (task != null) {
        return task;
      }
      idle.idle(tree.getKey(), busy, nowNanos);
    }
    return null;
  }

  /** Whether the last look ended before all trees were asked. */
  boolean isCutShort() {
    return cutShort;
  }

  /** Trees of which sstables are being compacted. */
  private Set<Integer> busy() {
    Set<Integer> busy = new HashSet<>();
    for (SSTableReader sstable : cfs.getTracker().getCompacting()) {
      Integer id = treeOf.get(sstable);
      if (id != null) {
        busy.add(id);
      }
    }
    return busy;
  }

  int remainingTasks() {
    return byId.values().stream()
        .mapToInt(AbstractCompactionStrategy::getEstimatedRemainingTasks)
        .sum();
  }

  Collection<AbstractCompactionStrategy> all() {
    return List.copyOf(byId.values());
  }
}
