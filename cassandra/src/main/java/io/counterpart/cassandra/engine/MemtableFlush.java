package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreException;
import org.jspecify.annotations.Nullable;

/** The one flush of a memtable: its causes until it begins, and the decision then. Thread-safe. */
final class MemtableFlush {
  private final EngineTable table;
  private final EngineMemtable memtable;
  private FlushCause cause = FlushCause.ROUTINE;
  private @Nullable EngineFlush flush;

  MemtableFlush(EngineTable table, EngineMemtable memtable) {
    this.table = table;
    this.memtable = memtable;
  }

  /**
   * Someone asks for a flush.
   *
   * @return false if it comes too late: the flush has begun for a weaker cause
   * @throws StoreException if the stores, which it needs, do not answer
   */
  boolean note(FlushCause asked) {
    table.server().require(asked);
    return isInTime(asked);
  }

  private synchronized boolean isInTime(FlushCause asked) {
    if (!asked.outweighs(cause)) {
      return true;
    }
    if (flush != null) {
      return false;
    }
    cause = asked;
    return true;
  }

  /** The flush; null if it has not begun. */
  synchronized @Nullable EngineFlush begun() {
    return flush;
  }

  /**
   * The flush, begun if it is not.
   *
   * @param leaves whether the table has another configuration by now
   */
  EngineFlush begun(boolean leaves) {
    EngineFlush known = begun();
    if (known != null) {
      return known;
    }
    // these ask the ring and stores, which may take long
    CopyShare share = table.copies().now();
    FlushFacts facts = table.facts(share);
    EngineFlush begun;
    synchronized (this) {
      if (flush != null) {
        return flush;
      }
      // without an engine of its own a table leaves again with the next flush
      boolean waits = facts.serverAway() && !table.stores().absorbs();
      FlushCause last = leaves && !waits ? FlushCause.LEAVING : cause;
      begun = new EngineFlush(table, memtable, share, last, FlushDecision.of(last, facts));
      flush = begun;
    }
    begun.begin();
    return begun;
  }
}
