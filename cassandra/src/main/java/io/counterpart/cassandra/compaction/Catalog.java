package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.PrimaryEngine;
import io.counterpart.cassandra.ring.Classifier;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sstables of one strategy instance, each with its {@link Placed}; those of an LSM-tree are
 * handed on to {@link Trees}. A new ring snapshot places all of them anew: a run whose arc this
 * node now leads is thereby promoted to the primary tree without being rewritten.
 *
 * <p>Not thread-safe: guarded by the owning strategy's lock.
 */
final class Catalog {
  private static final Logger logger = LoggerFactory.getLogger(Catalog.class);

  private static final int ONE_TREE = 0;
  private static final int NO_TREE = -1;
  private static final Placed UNIFORM = new Placed(Role.PRIMARY, Placed.NO_GROUP, 0);

  private final DecoupledOptions options;
  private final Mode mode;
  private final Trees trees;
  private final Supplier<Set<SSTableReader>> live;
  private final Set<SSTableReader> all = new HashSet<>();
  private final Map<SSTableReader, Placed> placed = new HashMap<>();
  private @Nullable RingSnapshot ring;

  /**
   * @param live the table's live sstables: the tracker swaps instances of the same sstable (early
   *     open, aborted compactions) without telling, and only the live one can be compacted
   */
  Catalog(DecoupledOptions options, Mode mode, Trees trees, Supplier<Set<SSTableReader>> live) {
    this.live = live;
    this.options = options;
    this.mode = mode;
    this.trees = trees;
  }

  /** Takes a ring snapshot; the same object as before costs nothing. */
  void useRing(@Nullable RingSnapshot snapshot) {
    if (snapshot == ring) {
      return;
    }
    ring = snapshot;
    if (mode == Mode.UNIFORM) {
      return;
    }
    trees.clear();
    placed.clear();
    all.forEach(this::place);
  }

  @Nullable RingSnapshot ring() {
    return ring;
  }

  void add(SSTableReader sstable) {
    if (all.add(sstable)) {
      place(sstable);
    }
  }

  void remove(SSTableReader sstable) {
    all.remove(sstable);
    placed.remove(sstable);
    trees.remove(sstable);
  }

  /** Removes and adds; what belongs to one tree is handed to it as one replacement. */
  void replace(Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    Map<Integer, List<SSTableReader>> removedOf = new TreeMap<>();
    for (SSTableReader sstable : removed) {
      all.remove(sstable);
      placed.remove(sstable);
      Integer tree = trees.idOf(sstable);
      if (tree != null) {
        removedOf.computeIfAbsent(tree, id -> new ArrayList<>()).add(sstable);
      }
    }
    Map<Integer, List<SSTableReader>> addedTo = new TreeMap<>();
    for (SSTableReader sstable : added) {
      if (all.add(sstable)) {
        int tree = locate(sstable);
        if (tree != NO_TREE) {
          addedTo.computeIfAbsent(tree, id -> new ArrayList<>()).add(sstable);
        }
      }
    }
    Set<Integer> touched = new TreeSet<>(removedOf.keySet());
    touched.addAll(addedTo.keySet());
    for (int tree : touched) {
      trees.replace(
          tree, removedOf.getOrDefault(tree, List.of()), addedTo.getOrDefault(tree, List.of()));
    }
  }

  private void place(SSTableReader sstable) {
    int tree = locate(sstable);
    if (tree != NO_TREE) {
      trees.add(tree, sstable);
    }
  }

  /** Notes where an sstable belongs; returns its tree. */
  private int locate(SSTableReader sstable) {
    RingSnapshot current = ring;
    if (mode == Mode.UNIFORM) {
      placed.put(sstable, UNIFORM);
      return ONE_TREE;
    }
    if (current == null) {
      return NO_TREE;
    }
    try {
      Placed where = inMode(Classifier.place(sstable, current));
      placed.put(sstable, where);
      return treeOf(where, current);
    } catch (CorruptSSTableException | FSReadError unreadable) {
      // as after a failed read: never compacted, so nothing of it is lost before scrub
      sstable.markSuspect();
      logger.error("Cannot tell the role of {}: run nodetool scrub", sstable, unreadable);
      return NO_TREE;
    }
  }

  /** With a tree for each replica index there is no log: an sstable fits a tree or is mixed. */
  private Placed inMode(Placed where) {
    if (mode == Mode.DECOUPLED || where.role() == Role.FOREIGN) {
      return where;
    }
    Role role = where.replicaIndex() >= 0 ? Role.PRIMARY : Role.MIXED;
    return new Placed(role, where.group(), where.replicaIndex());
  }

  private int treeOf(Placed where, RingSnapshot current) {
    if (mode == Mode.MLSM) {
      return where.replicaIndex() >= 0 ? where.replicaIndex() : NO_TREE;
    }
    if (where.role() != Role.PRIMARY) {
      return NO_TREE;
    }
    // one tree keeps groups apart only if it cuts its output by overlap, and groups do not overlap
    boolean apart =
        options.engine() == PrimaryEngine.LCS || current.view().isGroupedByReplicaList();
    return apart ? where.group() : ONE_TREE;
  }

  /** The live sstables of this instance. */
  Set<SSTableReader> all() {
    return live.get().stream().filter(all::contains).collect(Collectors.toUnmodifiableSet());
  }

  @Nullable Placed placed(SSTableReader sstable) {
    return placed.get(sstable);
  }

  List<SSTableReader> withRole(Role role) {
    List<SSTableReader> found = new ArrayList<>();
    for (SSTableReader sstable : live.get()) {
      Placed where = placed.get(sstable);
      if (where != null && where.role() == role) {
        found.add(sstable);
      }
    }
    return found;
  }

  /** Aligned sstables of a role, by range group. */
  Map<Integer, List<SSTableReader>> byGroup(Role role) {
    Map<Integer, List<SSTableReader>> groups = new TreeMap<>();
    for (SSTableReader sstable : withRole(role)) {
      Placed where = placed.get(sstable);
      if (where != null) {
        groups.computeIfAbsent(where.group(), g -> new ArrayList<>()).add(sstable);
      }
    }
    return groups;
  }

  static long bytes(Collection<SSTableReader> sstables) {
    return sstables.stream().mapToLong(SSTableReader::onDiskLength).sum();
  }
}
