package io.counterpart.cassandra.engine.share;

import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sstables that belong in the store, and remembers their roles, since an index may have
 * to be read to tell. Thread-safe.
 */
public final class ShareOfSSTables {
  private final Map<SSTableReader, Role> known = new HashMap<>();
  private @Nullable CopyShare by;

  /** Those that belong in the store whole. One that a compaction writes or ends is left out. */
  public synchronized List<SSTableReader> of(CopyShare share, Set<SSTableReader> live) {
    forget(share, live);
    if (share.isAll()) {
      return List.copyOf(live);
    }
    List<SSTableReader> whole = new ArrayList<>();
    for (SSTableReader sstable : live) {
      if (!isPart(sstable) && CopyShare.isPrimary(role(share, sstable))) {
        whole.add(sstable);
      }
    }
    return whole;
  }

  /**
   * Whether sstables that {@link #of} leaves out have copies that belong in the store: a compaction
   * divides them first, and one of the results may stay.
   */
  public synchronized boolean hasParts(CopyShare share, Set<SSTableReader> live) {
    forget(share, live);
    if (share.isAll()) {
      return false;
    }
    for (SSTableReader sstable : live) {
      boolean touches =
          isPart(sstable)
              ? share.touches(sstable)
              : role(share, sstable).filter(Role.MIXED::equals).isPresent();
      if (touches) {
        return true;
      }
    }
    return false;
  }

  /** What was known by another share, or of others. */
  private void forget(CopyShare share, Set<SSTableReader> live) {
    if (!share.equals(by)) {
      known.clear();
      by = share;
    }
    known.keySet().retainAll(live);
  }

  /** A part has the name of the whole, but another role perhaps. */
  private static boolean isPart(SSTableReader sstable) {
    return sstable.openReason == OpenReason.EARLY || sstable.openReason == OpenReason.MOVED_START;
  }

  private Optional<Role> role(CopyShare share, SSTableReader sstable) {
    Role role = known.get(sstable);
    if (role != null) {
      return Optional.of(role);
    }
    Optional<Role> found = share.role(sstable);
    found.ifPresent(each -> known.put(sstable, each));
    return found;
  }
}
