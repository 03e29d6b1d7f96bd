package io.counterpart.cassandra.engine.flush;

import com.google.common.base.Throwables;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.core.engine.SpillSize;
import io.counterpart.engine.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A spill of a table's stores alone, apart from any flush. Its sstables come to the table as those
 * of a stream: with indexes of their own, and without a part of the commit log, since the stores
 * say what they cover. Used once, by one thread; others may ask how far it is.
 */
public final class StoreSpill {
  private static final Logger logger = LoggerFactory.getLogger(StoreSpill.class);

  private final ColumnFamilyStore table;
  private final Generations stores;
  private final Truncations truncations;
  private long counted;
  private volatile List<Generation> frozen = List.of();
  private volatile boolean written;
  private volatile List<SSTableReader> sstables = List.of();

  /**
   * @param truncations of the table
   */
  public StoreSpill(ColumnFamilyStore table, Generations stores, Truncations truncations) {
    this.table = table;
    this.stores = stores;
    this.truncations = truncations;
  }

  /**
   * Whether one of them has more than a flush takes to sstables, and has it in no sstables. Not
   * where a server does not say: then the flush finds out.
   */
  public static boolean isMuch(Generations stores) {
    try {
      return stores.anyUnspilled(
          store -> !store.isEmpty() && SpillSize.isMuch(store.stats().usedBytes()));
    } catch (StoreException e) {
      logger.debug("A store in {} does not answer", stores.directory(), e);
      return false;
    }
  }

  /** Takes the stores as they are now. */
  public void freeze() {
    counted = truncations.count();
    frozen = stores.freeze();
  }

  /** The stores that it takes. */
  public List<Generation> frozen() {
    return frozen;
  }

  /** Whether it is still about to write; afterwards its sstables become live in a moment. */
  public boolean isWriting() {
    return !written;
  }

  /** Whether its sstables are live: later spills leave its stores out. */
  public boolean isLive() {
    List<SSTableReader> made = sstables;
    Set<SSTableReader> live = table.getLiveSSTables();
    // one that is compacted while an index is built has been live
    return !made.isEmpty()
        && made.stream().allMatch(each -> live.contains(each) || each.isMarkedCompacted());
  }

  /** Later spills leave its stores out. */
  public void markSpilled() {
    frozen.forEach(Generation::markSpilled);
  }

  /**
   * Writes the stores to sstables, which are live afterwards.
   *
   * @throws RuntimeException if that fails: nothing has changed
   */
  public void write() {
    try {
      if (!frozen.isEmpty()) {
        write(RepeatedFlushes.of(table));
      }
      markSpilled();
    } catch (RuntimeException | Error failure) {
      if (!table.isValid()) {
        // they were asked for after the table was forgotten
        RepeatedFlushes.forget(table.metadata.id);
      }
      // the disk's failure policy
      JVMStabilityInspector.inspectThrowable(failure);
      Throwables.throwIfInstanceOf(failure, RuntimeException.class);
      Throwables.throwIfInstanceOf(failure, VirtualMachineError.class);
      throw new IllegalStateException(failure);
    } finally {
      written = true;
    }
  }

  private void write(RepeatedFlushes lives) {
    try (LifecycleTransaction transaction = LifecycleTransaction.offline(OperationType.WRITE)) {
      List<SSTableMultiWriter> writers = new ArrayList<>();
      try {
        write(transaction, writers);
      } catch (RuntimeException | Error e) {
        throw failed(SSTableCommit.abort(transaction, writers, e));
      }
      written = true;
      if (!truncations.unless(counted, () -> add(SSTableCommit.of(transaction, writers), lives))) {
        throw failed(SSTableCommit.abort(transaction, writers, truncated()));
      }
    }
  }

  private static RuntimeException failed(@Nullable Throwable failure) {
    return org.apache.cassandra.utils.Throwables.throwAsUncheckedException(failure);
  }

  private IllegalStateException truncated() {
    return new IllegalStateException(table.metadata + " was truncated during its spill");
  }

  /** A part for each data directory, as a flush. */
  private void write(LifecycleTransaction transaction, List<SSTableMultiWriter> writers) {
    FlushSet.Sizes sizes = FlushSet.Sizes.of(frozen);
    DiskBoundaries disks = table.getDiskBoundaries();
    List<PartitionPosition> ends = disks.positions;
    if (ends == null) {
      File directory = table.getDirectories().getWriteableLocationAsFile(sizes.bytes());
      writers.add(writer(directory, sizes, transaction));
      write(writers.get(0), null, null);
      return;
    }
    PartitionPosition begin = null;
    for (int i = 0; i < ends.size(); i++) {
      Directories.DataDirectory disk = disks.directories.get(i);
      writers.add(writer(table.getDirectories().getLocationForDisk(disk), sizes, transaction));
      write(writers.get(i), begin, ends.get(i));
      begin = ends.get(i);
    }
  }

  private SSTableMultiWriter writer(
      File directory, FlushSet.Sizes sizes, LifecycleTransaction transaction) {
    Descriptor descriptor = table.newSSTableDescriptor(directory);
    SerializationHeader header =
        new SerializationHeader(
            true,
            table.metadata(),
            SpilledPartitions.columns(table.metadata(), RegularAndStaticColumns.NONE),
            SpilledPartitions.stats(EncodingStats.NO_STATS, frozen));
    return table.createSSTableMultiWriter(
        descriptor,
        sizes.partitions(),
        ActiveRepairService.UNREPAIRED_SSTABLE,
        ActiveRepairService.NO_PENDING_REPAIR,
        false,
        header,
        transaction);
  }

  private void write(
      SSTableMultiWriter writer, @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
    List<UnfilteredPartitionIterator> stored =
        Generation.iterators(frozen, store -> store.between(from, to));
    if (stored.isEmpty()) {
      return;
    }
    try (UnfilteredPartitionIterator merged =
        UnfilteredPartitionIterators.merge(
            stored, UnfilteredPartitionIterators.MergeListener.NOOP)) {
      while (merged.hasNext()) {
        checkGoesOn();
        try (UnfilteredRowIterator partition = merged.next()) {
          if (!partition.isEmpty()) {
            writer.append(partition);
          }
        }
      }
    }
  }

  private void checkGoesOn() {
    if (truncations.count() != counted) {
      throw truncated();
    }
    if (!table.isValid()) {
      throw new IllegalStateException(table.metadata + " was dropped during its spill");
    }
  }

  /** They are there for good; a table that was dropped in between takes them along. */
  private void add(List<SSTableReader> made, RepeatedFlushes lives) {
    // by then each is younger than this, so a truncation that would let one stay is refused
    lives.noteNow();
    sstables = made;
    if (made.isEmpty()) {
      return;
    }
    try {
      table.addSSTables(made);
    } catch (RuntimeException e) {
      if (!isLive()) {
        throw e;
      }
      logger.error("Sstables of {} are live, but somebody has failed on them", table.metadata, e);
    }
    org.apache.cassandra.utils.Throwables.maybeFail(table.getTracker().dropSSTablesIfInvalid(null));
  }
}
