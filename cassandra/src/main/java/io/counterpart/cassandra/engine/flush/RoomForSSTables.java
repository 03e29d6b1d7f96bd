package io.counterpart.cassandra.engine.flush;

import io.counterpart.cassandra.engine.store.Generations;
import java.util.Collection;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What of a table's sstables may come into a store in memory. Thread-safe: no state. */
public final class RoomForSSTables {
  /** What an entry takes beside its value, with its key. */
  private static final int ENTRY_BYTES = 320;

  private RoomForSSTables() {}

  /**
   * Whether sstables may come in. What there is no room for stays where it is. Twice the room: with
   * half of it the next flushes would find the store full, and bring everything back.
   */
  public static boolean fit(Generations stores, Collection<SSTableReader> sstables) {
    return stores.hasRoomFor(2 * sstables.stream().mapToLong(RoomForSSTables::bytes).sum());
  }

  /** Whether an sstable has deletions, or what is to expire, of what may be in another one. */
  public static boolean mayHide(SSTableReader sstable, Collection<SSTableReader> live) {
    return sstable.mayHaveTombstones()
        && live.stream().anyMatch(other -> other != sstable && areOverlapping(other, sstable));
  }

  private static boolean areOverlapping(SSTableReader one, SSTableReader other) {
    return one.getFirst().compareTo(other.getLast()) <= 0
        && one.getLast().compareTo(other.getFirst()) >= 0;
  }

  private static long bytes(SSTableReader sstable) {
    long entries = sstable.getTotalRows() + sstable.estimatedKeys();
    return sstable.uncompressedLength() + ENTRY_BYTES * entries;
  }
}
