package io.counterpart.cassandra.engine;

import io.counterpart.core.engine.FlushDecision;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes a table that is to be in sstables and has data in a store, or spills a store with much in
 * it, and logs why. Not thread-safe.
 */
final class RoutineFlushes {
  private static final Logger logger = LoggerFactory.getLogger(RoutineFlushes.class);
  private static final int DECISION_TICKS = 5;

  private final EngineTable table;
  private int ticks;
  private @Nullable FlushDecision forced;

  /** The last one that was logged. */
  private @Nullable FlushDecision told;

  RoutineFlushes(EngineTable table) {
    this.table = table;
  }

  /** Looks at the table, if it is time. */
  void tick() {
    // the decision asks stores, so not at every turn
    if (!StorageService.instance.isInitialized() || ticks++ % DECISION_TICKS != 0) {
      return;
    }
    FlushDecision next = table.nextRoutineFlush();
    tell(next);
    if (!next.spills() || !table.stores().anyUnspilled(store -> !store.isEmpty())) {
      forced = null;
    } else if (table.isCurrent() && (!next.equals(forced) || table.unflushed() == 0)) {
      forced = next;
      if (!table.spills().spillsApart(next.reason())) {
        logger.info("{} is flushed now: {}", table.table().metadata, next.reason());
        table.table().forceFlush(ColumnFamilyStore.FlushReason.INTERNALLY_FORCED);
      }
    }
  }

  /** Logs that the schema keeps the table on sstables, also if it has no data yet. */
  private void tell(FlushDecision next) {
    if (next.isBySchema() && !next.equals(told) && table.isCurrent()) {
      logger.info("Flushes of {} write sstables: {}", table.table().metadata, next.reason());
    }
    told = next;
  }
}
