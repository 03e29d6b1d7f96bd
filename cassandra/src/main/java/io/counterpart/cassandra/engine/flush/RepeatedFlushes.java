package io.counterpart.cassandra.engine.flush;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.Clock;

/**
 * The flushes of a table that were repeated, and spills of its stores that are no part of one, for
 * TRUNCATE. It lets go of sstables that are older than a time, which it chooses before it tells of
 * it. Old rows that come to sstables in between would come back. Thread-safe.
 */
public final class RepeatedFlushes implements INotificationConsumer {
  private static final Map<TableId, RepeatedFlushes> TABLES = new ConcurrentHashMap<>();

  private final ColumnFamilyStore table;
  private volatile long lastMillis = Long.MIN_VALUE;

  private RepeatedFlushes(ColumnFamilyStore table) {
    this.table = table;
  }

  /** Those of a table, whose truncations are watched from then on, whatever memtables it has. */
  static RepeatedFlushes of(ColumnFamilyStore table) {
    return TABLES.computeIfAbsent(
        table.metadata.id,
        id -> {
          RepeatedFlushes made = new RepeatedFlushes(table);
          table.getTracker().subscribe(made);
          return made;
        });
  }

  /** Forgets a table that is dropped. */
  public static void forget(TableId table) {
    TABLES.remove(table);
  }

  /** The sstables of one are written, and become live next. */
  void noteNow() {
    lastMillis = Clock.Global.currentTimeMillis();
  }

  /**
   * Refuses a truncation for which sstables of one may be too young.
   *
   * @throws IllegalStateException if there are such
   */
  public static void check(ColumnFamilyStore table, long truncatedAt) {
    RepeatedFlushes known = TABLES.get(table.metadata.id);
    if (known != null) {
      known.check(truncatedAt);
    }
  }

  private void check(long truncatedAt) {
    if (truncatedAt <= lastMillis) {
      throw new IllegalStateException(
          "no TRUNCATE of %s, of which older rows came to sstables meanwhile: try again"
              .formatted(table.metadata));
    }
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof TruncationNotification truncation) {
      check(truncation.truncatedAt);
    }
  }
}
