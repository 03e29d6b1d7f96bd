package io.counterpart.cassandra.engine.sweep;

import io.counterpart.cassandra.engine.direct.DirectWrites;
import io.counterpart.cassandra.engine.server.ServerWatch;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OverlappingStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.core.engine.SweepConditions;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.service.StorageService;

/**
 * A table of this node that is swept.
 *
 * @param overlapping its stores, and what else may have its data
 * @param isCurrent whether the table is on the stores' engine
 * @param advance records how far the commit log is in the stores
 */
public record NodeTable(
    ColumnFamilyStore table,
    OverlappingStores overlapping,
    DirectWrites direct,
    ServerWatch server,
    BooleanSupplier isCurrent,
    Runnable advance)
    implements SweptTable {

  @Override
  public Generations stores() {
    return overlapping.own();
  }

  @Override
  public SweepConditions conditions() {
    return new SweepConditions(
        // a replay has what deletions hide
        StorageService.instance.isInitialized()
            && !StorageService.instance.isDraining()
            && !StorageService.instance.isDrained()
            && stores().absorbs()
            && isCurrent.getAsBoolean(),
        stores().isVolatile(),
        table.getNeverPurgeTombstones()
            || table.getCompactionStrategyManager().onlyPurgeRepairedTombstones(),
        overlapping.hasMore(),
        server.isAway());
  }

  @Override
  public PurgeRule mergeRule() {
    return direct.purgeRule();
  }

  @Override
  public boolean isCovered() {
    return direct.isCovered();
  }

  @Override
  public void coverLog() {
    advance.run();
  }

  @Override
  public Object view() {
    return table.getTracker().getView();
  }

  @Override
  public void awaitReaders() {
    direct.awaitReaders();
  }
}
