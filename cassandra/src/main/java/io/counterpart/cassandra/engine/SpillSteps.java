package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.SpillsApart;
import io.counterpart.cassandra.engine.flush.StoreSpill;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A spill of a table's stores apart from flushes, on a thread of its own. */
final class SpillSteps implements SpillsApart.Steps<StoreSpill> {
  private static final Logger logger = LoggerFactory.getLogger(SpillSteps.class);

  private final EngineTable table;
  private final TableSpills spills;

  SpillSteps(EngineTable table, TableSpills spills) {
    this.table = table;
    this.spills = spills;
  }

  @Override
  public void begin(String reason) {
    logger.info(
        "Spilling the stores of {} to sstables, apart from flushes: {}",
        table.table().metadata,
        reason);
    table.absorption().pause();
  }

  @Override
  public StoreSpill freeze() {
    StoreSpill next = new StoreSpill(table.table(), table.stores(), table.truncations());
    spills.takeTurn(next);
    try {
      if (table.isClosed()) {
        throw new IllegalStateException(table.table().metadata + " has left its stores");
      }
      next.freeze();
      return next;
    } catch (RuntimeException | Error e) {
      spills.giveTurn(next);
      throw e;
    }
  }

  @Override
  public void write(StoreSpill spill) {
    try {
      spill.write();
    } catch (RuntimeException e) {
      table.server().note(e);
      throw e;
    } finally {
      spills.giveTurn(spill);
    }
  }

  @Override
  public void release(StoreSpill spill) {
    boolean isTold = true;
    if (!table.isClosed()) {
      // as at the end of a flush that spills: no replay brings back what these stores had, since
      // a deletion that hides it may be purged from sstables as soon as they are gone
      CompletableFuture<Void> recorded = spills.recorded();
      table.direct().flushLogged();
      isTold = table.log().coveredOrLater();
      if (!table.isCurrent() || !recorded.isDone() || recorded.isCompletedExceptionally()) {
        // no start asks these stores any more, and the flush that left has no sstable to say so if
        // the spill had left it nothing; here, since threads of the common pool may be taken
        table.log().record();
      }
    }
    table.table().readOrdering.awaitNewBarrier();
    if (!table.isClosed()) {
      if (isTold) {
        table.frozenStores().drop(spill.frozen());
      } else {
        table.frozenStores().dropLater(spill.frozen());
      }
    }
  }

  @Override
  public void repeat(Runnable release) {
    table.failedFlushes().repeatLater(release);
  }

  @Override
  public void end() {
    table.absorption().resume();
  }

  @Override
  public boolean isMuch() {
    return StoreSpill.isMuch(table.stores());
  }
}
