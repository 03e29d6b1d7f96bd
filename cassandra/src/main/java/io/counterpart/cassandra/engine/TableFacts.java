package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreException;
import java.util.Collection;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Cassandra and the stores say about a table, as facts for decisions. */
final class TableFacts {
  private static final Logger logger = LoggerFactory.getLogger(TableFacts.class);

  private TableFacts() {}

  /**
   * Asks the stores, which may take long.
   *
   * @param keepsSome whether sstables stay beside a store in memory alone; asked if that matters,
   *     as it may read their indexes
   */
  static FlushFacts of(
      ColumnFamilyStore table,
      Generations stores,
      CopyShare share,
      boolean serverAway,
      BooleanSupplier keepsSome) {
    return new FlushFacts(
        !table.metadata().indexes.isEmpty(),
        table.viewManager.hasViews(),
        table.isAutoSnapshotEnabled(),
        !serverAway && hasForeignPartitions(table, stores),
        !serverAway && hasRedundantPartitions(table, stores, share),
        stores.hasAdopted(),
        stores.isVolatile(),
        hasDeletions(table) && keepsSome.getAsBoolean(),
        !stores.hasRoomFor(inMemtables(table)),
        serverAway);
  }

  private static long inMemtables(ColumnFamilyStore table) {
    long bytes = 0;
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      bytes += memtable.getLiveDataSize();
    }
    return bytes;
  }

  /** Whether memtables, without the stores, have deletions, or what is to expire. */
  private static boolean hasDeletions(ColumnFamilyStore table) {
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      if (memtable instanceof EngineMemtable engine && engine.deletions.any()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the stores have partitions outside of the node's ranges, as after a ring change. */
  private static boolean hasForeignPartitions(ColumnFamilyStore table, Generations stores) {
    if (!StorageService.instance.isInitialized() || stores.isEmpty()) {
      return false;
    }
    Set<Range<Token>> own =
        StorageService.instance.getLocalReplicas(table.getKeyspaceName()).ranges();
    // a node of the ring without ranges keeps no copies; one that is not in it yet has none so far
    return (!own.isEmpty() || StorageService.instance.isJoined())
        && hasOthersThan(own, table, stores);
  }

  private static boolean hasRedundantPartitions(
      ColumnFamilyStore table, Generations stores, CopyShare share) {
    Collection<Range<Token>> primary = share.primaryRanges();
    return primary != null && hasOthersThan(primary, table, stores);
  }

  /**
   * Whether the stores, but for those that are spilled already, have more than some ranges. Not
   * known while a server is away: then no, since an absorption loses nothing, and can wait.
   */
  private static boolean hasOthersThan(
      Collection<Range<Token>> ranges, ColumnFamilyStore table, Generations stores) {
    Token least = table.getPartitioner().getMinimumToken();
    try {
      return new Range<>(least, least)
          .subtractAll(ranges).stream()
              .flatMap(other -> other.unwrap().stream())
              .map(Range::makeRowRange)
              .anyMatch(part -> stores.anyUnspilled(store -> store.hasPartitions(part)));
    } catch (StoreException e) {
      logger.debug("A store of {} does not answer", table.metadata, e);
      return false;
    }
  }
}
