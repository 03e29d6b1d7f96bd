package io.counterpart.cassandra.engine;

import io.counterpart.core.engine.FlushCause;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;

/** Cassandra's reasons for a flush as causes that decide its target. */
final class FlushCauses {

  private FlushCauses() {}

  static FlushCause of(FlushReason reason) {
    return switch (reason) {
      case SNAPSHOT -> FlushCause.SNAPSHOT;
      case STREAMING, VALIDATION, ANTICOMPACTION -> FlushCause.STREAMING;
      case INDEX_BUILD_STARTED, INDEX_BUILD_COMPLETED, VIEW_BUILD_STARTED -> FlushCause.BUILD;
      case TRUNCATE -> FlushCause.TRUNCATE;
      case DROP -> FlushCause.DROP;
      case DRAIN -> FlushCause.STOP;
      default -> FlushCause.ROUTINE;
    };
  }
}
