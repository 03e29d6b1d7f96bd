package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.Placing;
import io.counterpart.cassandra.ring.PlacingListener;
import io.counterpart.cassandra.ring.PlacingRules;
import io.counterpart.cassandra.ring.PlacingThread;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.ring.SSTablePlaces;
import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sstables of one strategy instance, each with its {@link Placed}; {@link Trees} gets those
 * that belong to an LSM-tree. After a change of the ring {@link Placing} places all of them anew. A
 * run whose arc this node now leads is thereby promoted to the primary tree without a rewrite.
 *
 * <p>Not thread-safe but for {@link #placeSome} and {@link #learn}: guarded by the owning
 * strategy's lock.
 */
final class Catalog {
  private static final Logger logger = LoggerFactory.getLogger(Catalog.class);

  private static final Placed UNIFORM = new Placed(Role.PRIMARY, Placed.NO_GROUP, 0);

  private final TableLayout layout;
  private final Trees trees;
  private final LiveSSTables sstables;
  private final Placing<SSTableReader, Placed> placing;
  private final CreationTimes<SSTableReader> created =
      new CreationTimes<>(SSTableReader::getDataCreationTime);
  private @Nullable RingSnapshot wanted;
  private @Nullable ByRole byRole;
  private Runnable whenPlacesKnown = () -> {};

  /** The live sstables of one view of the tracker, as they are placed. */
  private record ByRole(Set<SSTableReader> live, Map<Role, List<SSTableReader>> sstables) {}

  /** Uniform tables need no ring. */
  private record Anywhere() implements PlacingRules<SSTableReader, Placed> {
    @Override
    public Placed byBounds(SSTableReader sstable) {
      return UNIFORM;
    }

    @Override
    public Placed byContent(SSTableReader sstable) {
      return UNIFORM;
    }
  }

  /**
   * @param lock the owning strategy's, which is never held while an index is read
   */
  Catalog(TableLayout layout, Trees trees, LiveSSTables sstables, Object lock) {
    this.layout = layout;
    this.trees = trees;
    this.sstables = sstables;
    this.placing = new Placing<>(lock, new PlacesToTrees(), PlacingThread.SHARED);
    if (layout.mode() == Mode.UNIFORM) {
      placing.use(new Anywhere());
    }
  }

  /** Has all placed by a ring snapshot; the same object as before costs nothing. */
  void useRing(@Nullable RingSnapshot snapshot) {
    if (snapshot != wanted && layout.mode() != Mode.UNIFORM) {
      wanted = snapshot;
      placing.use(
          snapshot == null
              ? null
              : new SSTablePlaces(snapshot, layout::inMode, sstables::reference));
    }
  }

  /** The ring by which the sstables are placed now: not the newest while they are placed anew. */
  @Nullable RingSnapshot ring() {
    return placing.inForce() instanceof SSTablePlaces places ? places.ring() : null;
  }

  /**
   * Begins to count: nothing is to be planned until what was added so far has its place.
   *
   * @param placesKnown run now, when all that was added so far has its place, and when the places
   *     follow another ring; under the lock
   */
  void start(Runnable placesKnown) {
    whenPlacesKnown = placesKnown;
    placing.start();
    placesKnown.run();
  }

  void close() {
    placing.close();
  }

  /** Whether what is placed so far is a part of the table alone. */
  boolean isIncomplete() {
    return placing.isIncomplete();
  }

  boolean isPlacing() {
    return placing.isBusy();
  }

  /** Pending compactions of the trees; a placing counts as one. */
  int remainingTasks() {
    return trees.remainingTasks() + (isPlacing() ? 1 : 0);
  }

  /** Places what a flush or two have left, in this thread. Not to be called under the lock. */
  void placeSome() {
    placing.placeSome();
  }

  void remove(SSTableReader sstable) {
    placing.remove(sstable);
    created.forget(sstable);
    trees.remove(sstable);
    byRole = null;
  }

  /** Removes and adds; what belongs to one tree is handed to it as one replacement. */
  void replace(Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    byRole = null;
    Map<Integer, List<SSTableReader>> removedOf = new TreeMap<>();
    for (SSTableReader sstable : removed) {
      placing.remove(sstable);
      created.forget(sstable);
      Integer tree = trees.idOf(sstable);
      if (tree != null) {
        removedOf.computeIfAbsent(tree, id -> new ArrayList<>()).add(sstable);
      }
    }
    Map<Integer, List<SSTableReader>> addedTo = new TreeMap<>();
    for (SSTableReader sstable : added) {
      int tree = layout.treeOf(placing.add(sstable), ring());
      if (tree != TableLayout.NO_TREE) {
        addedTo.computeIfAbsent(tree, id -> new ArrayList<>()).add(sstable);
      }
    }
    Set<Integer> touched = new TreeSet<>(removedOf.keySet());
    touched.addAll(addedTo.keySet());
    for (int tree : touched) {
      trees.replace(
          tree, removedOf.getOrDefault(tree, List.of()), addedTo.getOrDefault(tree, List.of()));
    }
    warnIfNothingIsOwned();
  }

  private void warnIfNothingIsOwned() {
    RingSnapshot ring = ring();
    if (ring != null && ring.ownsNothing()) {
      int waiting = all().size();
      if (waiting > 0 && ring.isFirstMentionOf(sstables.toString())) {
        logger.warn(
            "{}: this node owns no part of the ring in this keyspace, so {} sstables wait as they"
                + " are and are not compacted. If the node is to own some, let it join (nodetool"
                + " join) or give its datacenter replicas; if not, nodetool cleanup removes them",
            sstables,
            waiting);
      }
    }
  }

  /** The live sstables of this instance. */
  Set<SSTableReader> all() {
    return sstables.live().stream()
        .filter(placing::contains)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Nullable Placed placed(SSTableReader sstable) {
    return placing.placeOf(sstable);
  }

  List<SSTableReader> withRole(Role role) {
    Set<SSTableReader> live = sstables.live();
    ByRole current = byRole;
    if (current == null || current.live != live) {
      Map<Role, List<SSTableReader>> found = new EnumMap<>(Role.class);
      for (SSTableReader sstable : live) {
        Placed where = placing.placeOf(sstable);
        if (where != null) {
          found.computeIfAbsent(where.role(), r -> new ArrayList<>()).add(sstable);
        }
      }
      current = new ByRole(live, found);
      byRole = current;
    }
    return List.copyOf(current.sstables.getOrDefault(role, List.of()));
  }

  /** Aligned sstables of a role, by range group. */
  Map<Integer, List<SSTableReader>> byGroup(Role role) {
    Map<Integer, List<SSTableReader>> groups = new TreeMap<>();
    for (SSTableReader sstable : withRole(role)) {
      Placed where = placing.placeOf(sstable);
      if (where != null) {
        groups.computeIfAbsent(where.group(), g -> new ArrayList<>()).add(sstable);
      }
    }
    return groups;
  }

  /** Asks the file system about sstables that are to be added. Not to be called under the lock. */
  void learn(Collection<SSTableReader> coming) {
    created.learn(coming);
  }

  /** When the sstable's data were written to disk, since the epoch. */
  long createdMillis(SSTableReader sstable) {
    return created.ofMillis(sstable);
  }

  static long bytes(Collection<SSTableReader> sstables) {
    return sstables.stream().mapToLong(SSTableReader::onDiskLength).sum();
  }

  /** Hands to the trees what the placing finds in the background. */
  private final class PlacesToTrees implements PlacingListener<SSTableReader, Placed> {
    @Override
    public void placed(SSTableReader sstable, Placed where) {
      byRole = null;
      int tree = layout.treeOf(where, ring());
      if (tree != TableLayout.NO_TREE) {
        // its reader may be released by now: a leveled tree would refuse it, or keep it for ever
        sstables.withReference(sstable, current -> trees.add(tree, current));
      }
    }

    @Override
    public void replaced(Map<SSTableReader, Placed> places) {
      byRole = null;
      trees.clear();
      if (!places.isEmpty()) {
        Map<SSTableReader, SSTableReader> current = new HashMap<>();
        sstables.whole().forEach(sstable -> current.put(sstable, sstable));
        places.forEach((known, where) -> placed(current.getOrDefault(known, known), where));
        trees.loaded();
        whenPlacesKnown.run();
      }
    }

    @Override
    public void completed() {
      trees.loaded();
      whenPlacesKnown.run();
    }

    @Override
    public void forgotten(SSTableReader sstable) {
      created.forget(sstable);
      trees.remove(sstable);
      byRole = null;
    }

    @Override
    public void failed(SSTableReader sstable, Throwable cause, int attempts) {
      if (cause instanceof CorruptSSTableException) {
        // as after a failed read: never compacted, so nothing of it is lost before scrub
        sstable.markSuspect();
      }
      if (Integer.bitCount(attempts) == 1) {
        logger.error(
            "Cannot tell the role of {}, attempt {}: it is not compacted, and tried again every"
                + " minute. If this goes on, run nodetool scrub",
            sstable,
            attempts,
            cause);
      }
    }

    @Override
    public void finished() {
      warnIfNothingIsOwned();
      sstables.wake();
    }
  }
}
