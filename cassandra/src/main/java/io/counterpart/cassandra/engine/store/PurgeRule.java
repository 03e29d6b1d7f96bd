package io.counterpart.cassandra.engine.store;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Which deletions a merge drops. A deletion goes if its grace time is over and nothing that it
 * hides may be elsewhere: in no sstable, in no other memtable, and not in the memtable that is
 * merged, since its mutations are replayed if this process dies now.
 *
 * @param gcBefore deletions before this time are past their grace, seconds
 * @param nowInSeconds decides what has expired
 * @param elsewhere whether sstables or other memtables may have data of a partition
 * @param oldestLogged at most the lowest timestamp of what a replay would merge once more, beside
 *     memtables, microseconds
 */
public record PurgeRule(
    long gcBefore,
    long nowInSeconds,
    Predicate<DecoratedKey> elsewhere,
    LongSupplier oldestLogged) {

  /** All that a replay would merge is in memtables. */
  public PurgeRule(long gcBefore, long nowInSeconds, Predicate<DecoratedKey> elsewhere) {
    this(gcBefore, nowInSeconds, elsewhere, () -> Long.MAX_VALUE);
  }

  /** The same if nothing were elsewhere: what it spares, the rule spares. */
  PurgeRule byTime() {
    return new PurgeRule(gcBefore, nowInSeconds, key -> false);
  }

  /**
   * The rule for one partition.
   *
   * @param minTimestamp the lowest of what is merged; {@code Long.MAX_VALUE} for nothing
   */
  Purging purging(TableMetadata table, DecoratedKey key, long minTimestamp) {
    // it asks sstables, so only if there is something to purge
    Supplier<Boolean> isElsewhere = Suppliers.memoize(() -> elsewhere.test(key));
    DeletionPurger purger =
        (timestamp, localDeletionTime) ->
            localDeletionTime < gcBefore
                && timestamp < minTimestamp
                && timestamp < oldestLogged.getAsLong()
                && !isElsewhere.get();
    return new Purging(table, StoredRows.columns(table), purger, nowInSeconds);
  }
}
