package io.counterpart.cassandra.compaction;

import java.util.Set;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.concurrent.Ref;
import org.jspecify.annotations.Nullable;

/**
 * A table's sstables as its tracker has them. The tracker swaps instances of the same sstable
 * without notice (early open, aborted compactions, resized index summaries), so an instance from a
 * notification may be released while the sstable lives. Thread-safe.
 */
final class LiveSSTables {
  private final ColumnFamilyStore cfs;
  private volatile boolean isAsked;

  LiveSSTables(ColumnFamilyStore cfs) {
    this.cfs = cfs;
  }

  /** The instances that may be compacted; the same set object until the tracker's view changes. */
  Set<SSTableReader> live() {
    return cfs.getLiveSSTables();
  }

  /** The current instances, but for those that a running compaction has shortened. */
  Iterable<SSTableReader> whole() {
    return cfs.getSSTables(SSTableSet.CANONICAL);
  }

  /**
   * A reference to the whole sstable, by whatever instance there is now; to be released.
   *
   * @return null if the sstable is gone
   */
  @Nullable Ref<SSTableReader> reference(SSTableReader sstable) {
    Ref<SSTableReader> same = sstable.tryRef();
    if (same != null) {
      return same;
    }
    for (SSTableReader current : whole()) {
      if (current.equals(sstable)) {
        return current.tryRef();
      }
    }
    return null;
  }

  /** Calls with whatever instance there is now; not if the sstable is gone. */
  void withReference(SSTableReader sstable, Consumer<SSTableReader> user) {
    Ref<SSTableReader> current = reference(sstable);
    if (current != null) {
      try {
        user.accept(current.get());
      } finally {
        current.release();
      }
    }
  }

  /** Notes that Cassandra has looked for work by itself. */
  void asked() {
    isAsked = true;
  }

  /**
   * Has Cassandra look for work. Not while the node starts: Cassandra stops the compaction of a
   * keyspace once all its tables are open, until it has replayed the commit log, and a task that
   * began before would purge tombstones of data that are only there.
   */
  void wake() {
    boolean isStarted = isAsked || StorageService.instance.isDaemonSetupCompleted();
    if (isStarted && cfs.getCompactionStrategyManager() != null && cfs.isValid()) {
      CompactionManager.instance.submitBackground(cfs);
    }
  }

  @Override
  public String toString() {
    return cfs.getKeyspaceName() + "." + cfs.getTableName();
  }
}
