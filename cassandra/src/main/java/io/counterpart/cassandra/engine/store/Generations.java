package io.counterpart.cassandra.engine.store;

import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.cassandra.failure.StoreFailures;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * The stores of one table, oldest first. The last one absorbs. A spill freezes it and all before
 * it, and what is absorbed from then on goes to a new one; when the sstables of the spill are live,
 * the frozen ones are dropped with their files. A spill that fails leaves them: they are read, and
 * the next spill takes them along.
 *
 * <p>A volatile store that has lost its data with the process before makes the table cold: reads
 * fail. It takes nothing, and stays until the data is there again, whatever is spilled meanwhile,
 * so that the table is also cold after another restart.
 *
 * <p>Reads merge all generations. Data that is in two of them, or in an sstable as well, does no
 * harm, since merging is idempotent and knows no order.
 *
 * <p>Thread-safe. Absorbing waits for a freeze, and the reverse: frozen ones change no more.
 */
public final class Generations {
  private final Path root;
  private final @Nullable OwnStores own;
  private final TableMetadataRef metadata;
  private final UUID host;
  private final StoreLock lock = new StoreLock();
  private volatile List<Generation> all;
  private final AdoptedStores adopted = new AdoptedStores();

  private Generations(Path root, @Nullable OwnStores own, TableMetadataRef metadata, UUID host) {
    this.root = root;
    this.own = own;
    this.metadata = metadata;
    this.host = host;
    this.all = own == null ? List.of() : own.open();
  }

  /**
   * Opens what an engine has in its folder, or the first generation.
   *
   * @param root where the table's folders are
   * @param name of the engine
   * @param host id of this node: what a store from another node says about a commit log is ignored
   * @throws StoreException if a store cannot be opened
   */
  public static Generations open(
      Path root, String name, KvEngine engine, TableMetadataRef metadata, UUID host) {
    StoreFolder folder = StoreFolder.of(root, name, engine.location());
    return new Generations(root, new OwnStores(folder, engine, metadata, host), metadata, host);
  }

  /** A table without an engine of its own; {@link #adopt} gives it stores. */
  public static Generations none(Path root, TableMetadataRef metadata, UUID host) {
    return new Generations(root, null, metadata, host);
  }

  /** Takes on the stores of another engine, which are read, and leave with the next spill. */
  public void adopt(StoreFolder folder, KvEngine engine) {
    List<Generation> found = Generation.openAll(folder, engine, metadata, host);
    adopted.add(folder, found);
    replace(now -> now.addAll(0, found));
  }

  /** Whether stores of other engines have data that is not in sstables. */
  public boolean hasAdopted() {
    return all.stream()
        .anyMatch(each -> adopted.has(each) && !each.isSpilled() && !each.store().isEmpty());
  }

  /** Where the stores are. */
  public Path directory() {
    return own == null ? root : own.folder().path();
  }

  /** All folders that have stores of this. */
  public Set<Path> directories() {
    Set<Path> directories = adopted.folders();
    if (own != null) {
      directories.add(own.folder().path());
    }
    return directories;
  }

  /** The store that absorbs; null in a table without an engine of its own. */
  private @Nullable Generation current() {
    List<Generation> now = all;
    return own == null ? null : now.get(now.size() - 1);
  }

  private Generation absorbing() {
    Generation current = current();
    if (current == null) {
      throw new IllegalStateException(metadata + " has no store that absorbs");
    }
    return current;
  }

  /** Whether no store has a partition, or has lost some. */
  public boolean isEmpty() {
    return !isCold() && !any(store -> !store.isEmpty());
  }

  /** Whether volatile stores have lost their data: reads would miss it. */
  public boolean isCold() {
    return all.stream().anyMatch(Generation::isLost);
  }

  /** All that was lost is in sstables or other stores again. */
  public void restored() {
    drop(all.stream().filter(Generation::isLost).toList());
  }

  /** Whether data is kept in memory alone. */
  public boolean isVolatile() {
    return own != null && own.engine().isVolatile();
  }

  /** Whether there is a store that takes data. */
  public boolean absorbs() {
    return own != null;
  }

  /** Whether calls may find a server away. */
  public boolean isOnServer() {
    return all.stream().anyMatch(Generation::isOnServer);
  }

  /** Whether the store that absorbs may take so many bytes more. */
  public boolean hasRoomFor(long bytes) {
    Generation current = current();
    return current == null || current.store().hasRoomFor(bytes);
  }

  /** Whether there is data beside the store that absorbs. */
  public boolean hasFrozen() {
    Generation absorbs = current();
    return all.stream().anyMatch(each -> each != absorbs && !each.store().isEmpty());
  }

  /** Whether some store passes a test. */
  public boolean any(Predicate<TableStore> test) {
    return all.stream().anyMatch(generation -> generation.passes(test));
  }

  /** The same of stores whose data is not in sstables as well. */
  public boolean anyUnspilled(Predicate<TableStore> test) {
    return all.stream().anyMatch(each -> !each.isSpilled() && each.passes(test));
  }

  /** All stores together: their minima, the last position, and a sum of partitions. */
  public StoredState bounds() {
    return all.stream()
        .map(each -> each.store().state())
        .reduce(StoredState.empty(host), StoredState::plus);
  }

  /**
   * Opens an iterator on each store; those of a few are closed if one of them fails.
   *
   * @param opener may return null for none
   * @throws StoreException if the table is cold: other copies answer
   */
  public <T extends CloseableIterator<?>> List<T> iterators(
      Function<TableStore, @Nullable T> opener) {
    try {
      if (isCold() || ColdTables.NODE.has(metadata.id)) {
        throw new StoreException(
            metadata + " is cold: its store was in memory alone, and is rebuilt from other copies");
      }
      return Generation.iterators(all, opener);
    } catch (StoreException e) {
      throw StoreFailures.NODE.noted(metadata.get(), e);
    }
  }

  /** Merges partitions of a memtable into the store that absorbs, durably. */
  public void absorb(Iterable<? extends Partition> delta, Supplier<PurgeRule> rule) {
    try (StoreLock.Held ignored = lock.writing()) {
      Generation current = absorbing();
      current.markHolding();
      current.store().absorb(delta, rule.get());
    }
  }

  /**
   * A step of a walk that purges the store that absorbs: {@link TableStore#sweep}. Writers wait for
   * it only where there is something to purge.
   */
  public SweepStep sweep(SweepStep.Position from, SweepStep.Limit limit, Supplier<PurgeRule> rule) {
    SweepStep step = absorbing().store().trySweep(from, limit, rule.get());
    if (step.changes() == 0) {
      return step;
    }
    try (StoreLock.Held ignored = lock.writing()) {
      return absorbing().store().sweep(from, limit, rule.get());
    }
  }

  /** The stores so far, which change no more; later data is absorbed by a new one. */
  public List<Generation> freeze() {
    try (StoreLock.Held ignored = lock.changing()) {
      List<Generation> frozen = new ArrayList<>(all);
      frozen.removeIf(generation -> generation.isSpilled() || generation.isLost());
      Generation last = current();
      if (last != null && last.store().isEmpty()) {
        frozen.remove(last);
      } else if (last != null) {
        Generation next = Objects.requireNonNull(own).successor(last);
        replace(now -> now.add(next));
      }
      return List.copyOf(frozen);
    }
  }

  /**
   * Forgets frozen stores that are still here, whose data is in sstables by now, and deletes them.
   *
   * @throws StoreException if that cannot be recorded: they stay as they are
   */
  public synchronized void drop(List<Generation> frozen) {
    List<Generation> present = frozen.stream().filter(all::contains).toList();
    present.forEach(Generation::retire);
    present.forEach(Generation::markDropped);
    replace(now -> now.removeAll(present));
    present.forEach(Generation::delete);
    adopted.deleteUnless(all);
  }

  private synchronized void replace(Consumer<List<Generation>> change) {
    List<Generation> next = new ArrayList<>(all);
    change.accept(next);
    all = List.copyOf(next);
  }

  /** Empties every store, since the table is truncated now. */
  public void truncate(long truncatedAt) {
    truncate(truncatedAt, generation -> true);
  }

  /** Empties every store that does not know of the table's last truncation. */
  public void catchUp(long truncatedAt) {
    truncate(truncatedAt, generation -> generation.store().state().truncatedAt() < truncatedAt);
  }

  private void truncate(long truncatedAt, Predicate<Generation> which) {
    try (StoreLock.Held ignored = lock.changing()) {
      all.stream().filter(which).forEach(each -> each.ask(store -> store.truncated(truncatedAt)));
    }
  }

  /** Records that everything before a position of the commit log is in stores or sstables. */
  public void advance(CommitLogPosition position) {
    try (StoreLock.Held ignored = lock.writing()) {
      Generation current = current();
      if (current != null) {
        current.store().advance(position);
      }
    }
  }

  /** Sizes of all together. */
  public StoreSizes sizes() {
    return StoreSizes.of(all);
  }

  /** Closes all; the files stay. */
  public void close() {
    all.forEach(generation -> generation.store().close());
  }

  /** Closes all and deletes them. */
  public void delete() {
    all.forEach(Generation::delete);
    adopted.deleteFolders();
    if (own != null) {
      own.folder().deleteIfUnused();
    }
  }
}
