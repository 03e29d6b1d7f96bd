package io.counterpart.cassandra.engine.store;

import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.cassandra.engine.store.files.StoreLocation;
import io.counterpart.cassandra.engine.store.files.VolatileMark;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One store of a table, in a directory of its own, whose name is the generation's number. */
public final class Generation {
  private static final Logger logger = LoggerFactory.getLogger(Generation.class);

  private final StoreLocation location;
  private final TableStore store;
  private final VolatileMark mark;
  private volatile boolean spilled;
  private volatile boolean dropped;
  private volatile boolean retired;

  private Generation(StoreLocation location, TableStore store) {
    this.location = location;
    this.store = store;
    this.mark = new VolatileMark(location.place().directory(), location.engine().isVolatile());
  }

  /** Opens a generation, or creates it. */
  static Generation open(
      StoreFolder folder, long number, KvEngine engine, TableMetadataRef table, UUID host) {
    StoreLocation location = StoreLocation.of(folder, number, engine, table);
    KvStore opened = engine.open(location.place());
    try {
      return new Generation(location, new TableStore(opened, table, host));
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Opens what a folder has, oldest first; removes what is retired. */
  static List<Generation> openAll(
      StoreFolder folder, KvEngine engine, TableMetadataRef table, UUID host) {
    removeRetired(folder, engine, table);
    List<Generation> found = new ArrayList<>();
    try {
      for (long number : folder.files().numbers()) {
        found.add(open(folder, number, engine, table, host));
      }
      return found;
    } catch (RuntimeException e) {
      found.forEach(generation -> generation.store().close());
      throw e;
    }
  }

  /** Removes what is left of stores whose data is elsewhere. */
  public static void removeRetired(StoreFolder folder, KvEngine engine, TableMetadataRef table) {
    for (long number : folder.files().retired()) {
      StoreLocation.of(folder, number, engine, table).remove(() -> true);
    }
  }

  public TableStore store() {
    return store;
  }

  long number() {
    return location.number();
  }

  /** Called before data reaches the store. */
  void markHolding() {
    mark.set();
  }

  /** Whether the store, which was in memory alone, has lost its data. */
  boolean isLost() {
    return mark.isLost();
  }

  /** Its data is in live sstables; it is dropped when the last reader that may need it is gone. */
  public void markSpilled() {
    spilled = true;
  }

  boolean isSpilled() {
    return spilled;
  }

  void markDropped() {
    dropped = true;
  }

  /**
   * An answer of the store. Null also if it was dropped meanwhile: its data is in sstables, which
   * whoever meets it closed has found before.
   */
  <T> @Nullable T ask(Function<TableStore, @Nullable T> question) {
    try {
      return question.apply(store);
    } catch (StoreClosedException e) {
      if (!dropped) {
        throw e;
      }
      return null;
    }
  }

  /** Whether the store passes a test; not if it was dropped meanwhile, as {@link #ask}. */
  boolean passes(Predicate<TableStore> test) {
    return Boolean.TRUE.equals(ask(test::test));
  }

  /** Records that its data is elsewhere: from then on no start reads the store. */
  public synchronized void retire() {
    if (retired) {
      return;
    }
    location.folder().files().retire(number());
    retired = true;
  }

  /** Whether calls may find a server away. */
  boolean isOnServer() {
    return location.engine().isOnServer();
  }

  /**
   * Closes the store and removes it; what is left of a retired one goes at the next start. One on a
   * server stays if it cannot be retired before.
   */
  void delete() {
    store.close();
    try {
      if (isOnServer() && !retired) {
        // what a kill leaves is not taken for data
        retire();
      }
      location.remove(store::isReleased);
    } catch (StoreException e) {
      logger.warn("The store {} stays", location.place().directory(), e);
    }
  }

  /**
   * Opens an iterator on each store; those of a few are closed if one of them fails.
   *
   * @param opener may return null for none
   */
  public static <T extends CloseableIterator<?>> List<T> iterators(
      List<Generation> generations, Function<TableStore, @Nullable T> opener) {
    List<T> opened = new ArrayList<>();
    try {
      for (Generation generation : generations) {
        T iterator = generation.ask(opener);
        if (iterator != null) {
          opened.add(iterator);
        }
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.forEach(CloseableIterator::close);
      throw e;
    }
  }
}
