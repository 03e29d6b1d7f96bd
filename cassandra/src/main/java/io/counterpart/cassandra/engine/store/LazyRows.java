package io.counterpart.cassandra.engine.store;

import java.util.function.Supplier;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.rows.LazilyInitializedUnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** A partition that is not looked up, and holds no snapshot, until somebody reads it. */
public final class LazyRows extends LazilyInitializedUnfilteredRowIterator {
  private final TableMetadata table;
  private final Supplier<@Nullable UnfilteredRowIterator> rows;

  /**
   * @param rows null for none
   */
  public LazyRows(
      TableMetadata table, DecoratedKey key, Supplier<@Nullable UnfilteredRowIterator> rows) {
    super(key);
    this.table = table;
    this.rows = rows;
  }

  @Override
  protected UnfilteredRowIterator initializeIterator() {
    UnfilteredRowIterator found = rows.get();
    return found == null ? EmptyIterators.unfilteredRow(table, partitionKey(), false) : found;
  }
}
