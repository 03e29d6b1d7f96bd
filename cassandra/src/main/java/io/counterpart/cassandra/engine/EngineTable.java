package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.TableStore;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One table on an engine: its store, and what its memtables share. Thread-safe. */
final class EngineTable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineTable.class);

  private final ColumnFamilyStore table;
  private final TableStore store;
  private final Path directory;
  private @Nullable FlushTurn latest;
  private @Nullable CommitLogPosition covered;
  private Set<Range<Token>> owned = Set.of();
  private boolean watched;

  EngineTable(ColumnFamilyStore table, TableStore store, Path directory) {
    this.table = table;
    this.store = store;
    this.directory = directory;
  }

  TableStore store() {
    return store;
  }

  Path directory() {
    return directory;
  }

  ColumnFamilyStore table() {
    return table;
  }

  /** A new memtable takes its place behind the others. */
  synchronized FlushTurn enter(BooleanSupplier givenUp) {
    if (table.getTracker() == null) {
      skipAbsorbedAtReplay();
    } else if (!watched) {
      watched = true;
      table.getTracker().subscribe(this::onNotification);
    }
    latest = new FlushTurn(latest, givenUp);
    return latest;
  }

  private void onNotification(Object notification, Object sender) {
    if (notification instanceof TruncationNotification) {
      LOG.info("Clearing the store of {}, which is truncated", table.metadata);
      store.clear();
    }
  }

  /**
   * Has the commit log's replay, which comes next, leave out what the store has absorbed. A replay
   * would do no harm but for deletions that were purged: their own mutations may be gone from the
   * log while older ones are still there. Sstables say in their metadata what they cover; a store
   * says it in the record that Cassandra keeps for TRUNCATE, whose time stays as it is.
   */
  private void skipAbsorbedAtReplay() {
    CommitLogPosition absorbed = store.state().absorbed();
    CommitLogPosition recorded = SystemKeyspace.getTruncatedPosition(table.metadata.id);
    if (absorbed.compareTo(recorded == null ? CommitLogPosition.NONE : recorded) > 0) {
      long truncatedAt = SystemKeyspace.getTruncatedAt(table.metadata.id);
      SystemKeyspace.saveTruncationRecord(table, truncatedAt, absorbed);
    }
  }

  synchronized boolean isLatest(FlushTurn turn) {
    return latest == turn;
  }

  /**
   * The data of a stretch of the commit log is in the store or in sstables. Nothing is recorded
   * after a gap, which a failed flush leaves, or before the end of replay, whose log is older.
   */
  synchronized void cover(CommitLogPosition from, CommitLogPosition to) {
    if (covered == null || from.compareTo(covered) <= 0) {
      covered = covered == null || to.compareTo(covered) > 0 ? to : covered;
      if (StorageService.instance.isInitialized()) {
        store.advance(covered);
      }
    }
  }

  /** Facts for the decision about a flush that begins now. */
  synchronized FlushFacts facts() {
    return new FlushFacts(
        !table.metadata().indexes.isEmpty(),
        table.viewManager.hasViews(),
        table.isAutoSnapshotEnabled(),
        hasLostRanges());
  }

  private boolean hasLostRanges() {
    if (!StorageService.instance.isInitialized()) {
      return false;
    }
    Set<Range<Token>> now =
        StorageService.instance.getLocalReplicas(table.getKeyspaceName()).ranges();
    if (now.isEmpty()) {
      return false;
    }
    List<Range<Token>> normal = Range.normalize(now);
    boolean lost = owned.stream().anyMatch(range -> !range.subtractAll(normal).isEmpty());
    owned = Set.copyOf(now);
    return lost;
  }

  /** Empties the store after a spill of a stretch of the commit log and of the store. */
  void spilled(CommitLogPosition from, CommitLogPosition to) {
    try {
      cover(from, to);
      if (!store.isEmpty()) {
        store.clear();
      }
    } catch (StoreClosedException dropped) {
      LOG.debug("Store of {} is gone, since the table was dropped", table.metadata, dropped);
    }
  }

  void close() {
    store.close();
  }

  /** Closes the store and deletes its files. */
  void delete() {
    store.close();
    LOG.info("Deleting the store {} of {}", directory, table.metadata);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the store " + directory, e);
    }
  }
}
