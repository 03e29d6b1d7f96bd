package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.TableStore;
import io.counterpart.core.engine.FlushFacts;
import java.util.Collection;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.service.StorageService;

/** What Cassandra and the stores say about a table, as facts for decisions. */
final class TableFacts {

  private TableFacts() {}

  /** Asks the stores, which may take long. */
  static FlushFacts of(ColumnFamilyStore table, Generations stores, CopyShare share) {
    return new FlushFacts(
        !table.metadata().indexes.isEmpty(),
        table.viewManager.hasViews(),
        table.isAutoSnapshotEnabled(),
        hasForeignPartitions(table, stores),
        !share.isAll() && hasOthersThan(share.primaryRanges(), table, stores),
        stores.hasAdopted());
  }

  /** Whether the stores have partitions outside of the node's ranges, as after a ring change. */
  private static boolean hasForeignPartitions(ColumnFamilyStore table, Generations stores) {
    if (!StorageService.instance.isInitialized() || stores.isEmpty()) {
      return false;
    }
    Set<Range<Token>> own =
        StorageService.instance.getLocalReplicas(table.getKeyspaceName()).ranges();
    return hasOthersThan(own, table, stores);
  }

  /** Whether the stores have partitions outside of some ranges; not if there are none. */
  private static boolean hasOthersThan(
      Collection<Range<Token>> ranges, ColumnFamilyStore table, Generations stores) {
    if (ranges.isEmpty() || stores.isEmpty()) {
      return false;
    }
    Token least = table.getPartitioner().getMinimumToken();
    for (Range<Token> other : new Range<>(least, least).subtractAll(ranges)) {
      for (Range<Token> part : other.unwrap()) {
        if (stores.any((TableStore store) -> store.hasPartitions(Range.makeRowRange(part)))) {
          return true;
        }
      }
    }
    return false;
  }
}
