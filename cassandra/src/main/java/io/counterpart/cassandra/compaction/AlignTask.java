package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.writer.Alignment;
import io.counterpart.cassandra.writer.GroupAlignedWriter;
import io.counterpart.cassandra.writer.ScatteredGroupsWriter;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The one task of the two-layer log: merges its inputs and cuts the output at the range groups.
 * Segments as inputs make it the split; wide primary files, the primary batch; runs of one group,
 * their merge; mixed sstables, the realignment after a ring change. It drops stale versions and
 * purgeable tombstones as every Cassandra compaction does; throttle, stop and early open work
 * unchanged.
 *
 * <p>Paper: DEPART §4.3 (splitting is also the garbage collection).
 */
final class AlignTask extends PlannedTask {
  private final Cut cut;

  /**
   * What is done to the inputs.
   *
   * @param what the task, for people
   * @param alignment where the output is cut
   * @param takenAlong inputs that may be left out
   * @param leastInputs inputs without which the rewrite would change nothing
   */
  record Cut(What what, Alignment alignment, Set<SSTableReader> takenAlong, int leastInputs) {}

  AlignTask(ColumnFamilyStore cfs, LifecycleTransaction txn, long gcBefore, Cut cut) {
    super(cfs, txn, gcBefore, cut.what());
    this.cut = cut;
  }

  /** Adds a frame: by it, profilers and thread dumps tell these rewrites from a tree's own. */
  @Override
  protected void runMayThrow() throws Exception {
    super.runMayThrow();
  }

  /**
   * Leaves out what was taken along before anything else, and never so much that the rewrite would
   * end where it began: it would be due again at once.
   */
  @Override
  public boolean reduceScopeForLimitedSpace(Set<SSTableReader> nonExpired, long expectedBytes) {
    Optional<SSTableReader> largest =
        nonExpired.stream()
            .filter(cut.takenAlong()::contains)
            .max(Comparator.comparingLong(SSTableReader::onDiskLength));
    if (largest.isPresent()) {
      transaction.cancel(largest.get());
      return true;
    }
    // inputs that have expired can go without the others, and then must: Cassandra asserts that
    boolean someExpired = nonExpired.size() < transaction.originals().size();
    return transaction.originals().size() > (someExpired ? 1 : cut.leastInputs())
        && super.reduceScopeForLimitedSpace(nonExpired, expectedBytes);
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpiredSSTables) {
    Alignment alignment = cut.alignment();
    return alignment.ring().view().hasScatteredGroups()
        ? new ScatteredGroupsWriter(cfs, directories, txn, nonExpiredSSTables, alignment)
        : new GroupAlignedWriter(cfs, directories, txn, nonExpiredSSTables, alignment);
  }
}
