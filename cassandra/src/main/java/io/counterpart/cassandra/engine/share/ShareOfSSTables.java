package io.counterpart.cassandra.engine.share;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which sstables belong in the store, since an index may have to be read to tell. Not
 * thread-safe.
 */
public final class ShareOfSSTables {
  private final Map<SSTableReader, Boolean> known = new HashMap<>();
  private @Nullable CopyShare by;

  /**
   * Whether all of an sstable belongs in the store.
   *
   * @param live what need not be forgotten
   */
  public boolean has(CopyShare share, SSTableReader sstable, Set<SSTableReader> live) {
    if (!share.equals(by)) {
      known.clear();
      by = share;
    }
    known.keySet().retainAll(live);
    return known.computeIfAbsent(sstable, share::has);
  }
}
