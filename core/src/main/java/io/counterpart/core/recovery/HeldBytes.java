package io.counterpart.core.recovery;

import java.util.OptionalLong;

/**
 * What a node holds of a keyspace.
 *
 * @param sstableBytes live sstables
 * @param engineBytes entries in the stores of its tables on storage engines, which are in no
 *     sstable, 0 if all are empty; empty if the node has no such table
 */
public record HeldBytes(long sstableBytes, OptionalLong engineBytes) {

  /** Of a keyspace without tables on engines. */
  public static HeldBytes inSSTables(long bytes) {
    return new HeldBytes(bytes, OptionalLong.empty());
  }

  /** Whether it holds nothing, as after it was wiped. */
  public boolean isNone() {
    return total() == 0;
  }

  /** Whether the load that nodes gossip, which is that of sstables, leaves some of it out. */
  public boolean isOnEngines() {
    return engineBytes.isPresent();
  }

  /** In sstables and stores. */
  public long total() {
    return sstableBytes + engineBytes.orElse(0);
  }
}
