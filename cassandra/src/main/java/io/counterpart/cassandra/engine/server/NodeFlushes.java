package io.counterpart.cassandra.engine.server;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.utils.memory.MemtablePool;

/** What the flushes of all tables of the node share. */
public final class NodeFlushes {

  private NodeFlushes() {}

  /** Flushes that have begun, or wait for a thread, and have not ended. */
  public static long count() {
    long flushes = 0;
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      flushes += table.metric.pendingFlushes.getCount();
    }
    return flushes;
  }

  /** Share of the memtables' memory in use: in the heap or outside it, where less is left. */
  static double memoryUsed() {
    MemtablePool pool = AbstractAllocatorMemtable.MEMORY_POOL;
    return Math.max(used(pool.onHeap), used(pool.offHeap));
  }

  private static double used(MemtablePool.SubPool pool) {
    return pool.limit == 0 ? 0 : pool.usedRatio();
  }
}
