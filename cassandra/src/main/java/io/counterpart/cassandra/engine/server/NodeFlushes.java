package io.counterpart.cassandra.engine.server;

import io.counterpart.core.engine.FlushPatience;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.utils.memory.MemtablePool;

/** What the flushes of all tables of the node share. */
public final class NodeFlushes {

  private NodeFlushes() {}

  /** Whether a flush may go on waiting for a server. */
  public static boolean mayWait() {
    return FlushPatience.mayWait(count(), memoryUsed());
  }

  /** Flushes that have begun, or wait for a thread, and have not ended. */
  private static long count() {
    // others would be opened, and who asks may be opening one
    return Keyspace.allExisting()
        .flatMap(keyspace -> keyspace.getColumnFamilyStores().stream())
        .mapToLong(table -> table.metric.pendingFlushes.getCount())
        .sum();
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
