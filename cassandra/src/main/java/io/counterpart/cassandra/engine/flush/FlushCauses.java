package io.counterpart.cassandra.engine.flush;

import io.counterpart.core.engine.FlushCause;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;

/** Cassandra's reasons for a table's flush as causes that decide its target. */
public final class FlushCauses {

  private FlushCauses() {}

  public static FlushCause of(FlushReason reason, ColumnFamilyStore table) {
    return switch (reason) {
      // a table that is dropped is gone from its keyspace before its snapshot is made
      case SNAPSHOT ->
          table.keyspace.hasColumnFamilyStore(table.metadata.id)
              ? FlushCause.SNAPSHOT
              : FlushCause.DROP;
      case STREAMING, VALIDATION, ANTICOMPACTION -> FlushCause.STREAMING;
      case INDEX_BUILD_STARTED, INDEX_BUILD_COMPLETED, VIEW_BUILD_STARTED -> FlushCause.BUILD;
      case TRUNCATE -> FlushCause.TRUNCATE;
      case DROP -> FlushCause.DROP;
      case DRAIN -> FlushCause.STOP;
      default -> FlushCause.ROUTINE;
    };
  }
}
