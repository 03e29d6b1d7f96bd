package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.writer.RingSlice;
import java.util.Collection;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.compaction.writers.DefaultCompactionWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Merges files of a small table's undivided log into one. It counts its bytes as primary and
 * redundant by the shares of the tokens that the node leads and does not lead.
 */
final class LogMergeTask extends PlannedTask {
  private final double primaryShare;
  private final TableCounters counters;

  LogMergeTask(ColumnFamilyStore cfs, LifecycleTransaction txn, long gcBefore, Counted counted) {
    super(cfs, txn, gcBefore, counted.what());
    this.primaryShare = RingSlice.all(counted.ring()).shareOf(counted.ring().primaryRanges());
    this.counters = counted.counters();
  }

  /** What the task is, and where its output counts. */
  record Counted(What what, RingSnapshot ring, TableCounters counters) {}

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpiredSSTables) {
    return new DefaultCompactionWriter(cfs, directories, txn, nonExpiredSSTables) {
      @Override
      public Collection<SSTableReader> finish() {
        Collection<SSTableReader> outputs = super.finish();
        count(Catalog.bytes(outputs));
        return outputs;
      }
    };
  }

  /** Never so much that the merge would end where it began: it would be due again at once. */
  @Override
  public boolean reduceScopeForLimitedSpace(Set<SSTableReader> nonExpired, long expectedBytes) {
    // inputs that have expired go without the others: Cassandra asserts that
    int inputs = transaction.originals().size();
    return inputs > (nonExpired.size() < inputs ? 1 : 2)
        && super.reduceScopeForLimitedSpace(nonExpired, expectedBytes);
  }

  private void count(long bytes) {
    long primary = Math.round(bytes * primaryShare);
    counters.primaryBatchBytes.inc(primary);
    counters.mergedBytes.inc(bytes - primary);
  }
}
