package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.ring.TableRing;
import org.jspecify.annotations.Nullable;

/** Brings the newest ring to a table's {@link Catalog}. Tables in one tree have none. */
final class RingWatch {
  /** More than any table has sstables to place. */
  private static final int MOST_TURNS = 10_000;

  private final TableRing ring;
  private final Mode mode;
  private final Catalog catalog;
  private final Object lock;

  /**
   * @param lock the owning strategy's
   */
  RingWatch(TableRing ring, Mode mode, Catalog catalog, Object lock) {
    this.ring = ring;
    this.mode = mode;
    this.catalog = catalog;
    this.lock = lock;
  }

  /**
   * The newest snapshot, computed if the ring has changed. Not to be called under the lock: flushes
   * wait for the lock, and need the snapshot alone.
   */
  @Nullable RingSnapshot newest() {
    return mode == Mode.UNIFORM ? null : ring.current();
  }

  /**
   * Has the sstables placed by the newest snapshot that is computed; returns the one by which they
   * are now. Called under the lock.
   */
  @Nullable RingSnapshot inForce() {
    catalog.useRing(mode == Mode.UNIFORM ? null : ring.latest());
    return catalog.ring();
  }

  /** Places a few waiting sstables by the newest snapshot, in this thread. Not under the lock. */
  void placeSome() {
    newest();
    synchronized (lock) {
      inForce();
    }
    catalog.placeSome();
  }

  /** Places all waiting sstables that can be read, in this thread. Not under the lock. */
  void placeAll() {
    for (int turn = 0; turn < MOST_TURNS && catalog.isPlacing(); turn++) {
      placeSome();
    }
  }
}
