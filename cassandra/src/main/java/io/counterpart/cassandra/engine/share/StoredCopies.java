package io.counterpart.cassandra.engine.share;

import io.counterpart.cassandra.compaction.DecoupledCompactionStrategy;
import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.ring.TableRing;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.CompactionParams;
import org.jspecify.annotations.Nullable;

/**
 * Which copies of a table belong in its store: all that the node has, or primary copies alone. The
 * latter are asked for by {@code primary: engine} of {@link DecoupledCompactionStrategy}, which
 * keeps the redundant copies in its two-layer log. Goes beyond the papers. Thread-safe.
 */
public final class StoredCopies {
  private final ColumnFamilyStore table;
  private volatile @Nullable Known known;

  /** What some compaction parameters ask for; without a ring: all copies. */
  private record Known(CompactionParams params, @Nullable TableRing ring) {}

  public StoredCopies(ColumnFamilyStore table) {
    this.table = table;
  }

  /** By the compaction in force, also one that JMX has set, and by the ring as it is now. */
  public CopyShare now() {
    CompactionParams params = table.getCompactionStrategyManager().getCompactionParams();
    Known last = known;
    if (last == null || last.params() != params) {
      last = new Known(params, ring(params));
      known = last;
    }
    TableRing ring = last.ring();
    return ring == null ? CopyShare.all() : CopyShare.primary(ring.current());
  }

  private @Nullable TableRing ring(CompactionParams params) {
    if (params.klass() != DecoupledCompactionStrategy.class) {
      return null;
    }
    DecoupledOptions options = DecoupledOptions.parse(params.options());
    return options.storesPrimaries() ? new TableRing(table, options.maxRangeGroups()) : null;
  }
}
