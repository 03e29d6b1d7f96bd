package io.counterpart.cassandra.engine.store;

import java.util.Iterator;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one partition: not what deletions hide, nor deletions that are no longer needed.
 *
 * @param columns that are kept
 * @param purger says which deletions are not
 * @param nowInSeconds decides what has expired
 */
record Purging(
    TableMetadata table, ColumnFilter columns, DeletionPurger purger, long nowInSeconds) {

  /** A row without what is hidden or purged; null if nothing is left. */
  @Nullable Row kept(Row row, DeletionTime deletion) {
    Row visible = row.filter(columns, deletion, false, table);
    return visible == null
        ? null
        : visible.purge(purger, nowInSeconds, table.enforceStrictLiveness());
  }

  /** The same of a row in its partition. */
  @Nullable Row kept(Row row, DeletionInfo deletions) {
    DeletionTime partition = deletions.getPartitionDeletion();
    RangeTombstone range = deletions.rangeCovering(row.clustering());
    return kept(
        row,
        range != null && range.deletionTime().supersedes(partition)
            ? range.deletionTime()
            : partition);
  }

  /** The same of a static row, which may be empty, and is then. */
  Row keptStatic(Row row, DeletionInfo deletions) {
    Row kept = row.isEmpty() ? null : kept(row, deletions.getPartitionDeletion());
    return kept == null ? Rows.EMPTY_STATIC_ROW : kept;
  }

  DeletionInfo kept(DeletionInfo deletions) {
    DeletionTime partition = deletions.getPartitionDeletion();
    MutableDeletionInfo kept =
        new MutableDeletionInfo(purger.shouldPurge(partition) ? DeletionTime.LIVE : partition);
    Iterator<RangeTombstone> ranges = deletions.rangeIterator(false);
    while (ranges.hasNext()) {
      RangeTombstone range = ranges.next();
      if (!purger.shouldPurge(range.deletionTime())) {
        kept.add(range, table.comparator);
      }
    }
    return kept;
  }
}
