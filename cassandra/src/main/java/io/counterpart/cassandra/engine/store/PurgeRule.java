package io.counterpart.cassandra.engine.store;

import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;

/**
 * Which deletions a merge drops. A deletion goes if its grace time is over and nothing that it
 * hides may be elsewhere: in no sstable, in no other memtable, and not in the memtable that is
 * merged, since its mutations are replayed if this process dies now.
 *
 * @param gcBefore deletions before this time are past their grace, seconds
 * @param nowInSeconds decides what has expired
 * @param elsewhere whether sstables or other memtables may have data of a partition
 */
public record PurgeRule(long gcBefore, long nowInSeconds, Predicate<DecoratedKey> elsewhere) {

  PartitionMerge.Purging purging(ImmutableBTreePartition delta) {
    DeletionPurger purger =
        elsewhere.test(delta.partitionKey())
            ? (timestamp, localDeletionTime) -> false
            : (timestamp, localDeletionTime) ->
                localDeletionTime < gcBefore && timestamp < delta.stats().minTimestamp;
    return new PartitionMerge.Purging(purger, nowInSeconds);
  }
}
