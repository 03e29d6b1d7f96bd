package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.CloseableIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One store of a table, in a directory of its own, whose name is the generation's number. */
public final class Generation {
  private static final String NUMBER = "[1-9][0-9]{0,17}";

  private static final Logger logger = LoggerFactory.getLogger(Generation.class);

  private final long number;
  private final KvEngine engine;
  private final StorePlace place;
  private final TableStore store;
  private final VolatileMark mark;
  private volatile boolean spilled;
  private volatile boolean dropped;

  private Generation(long number, KvEngine engine, StorePlace place, TableStore store) {
    this.number = number;
    this.engine = engine;
    this.place = place;
    this.store = store;
    this.mark = new VolatileMark(place.directory(), engine.isVolatile());
  }

  /** Opens a generation, or creates it. */
  static Generation open(
      StoreFolder folder, long number, KvEngine engine, TableMetadataRef table, UUID host) {
    StorePlace place =
        new StorePlace(folder.path().resolve(Long.toString(number)), table.keyspace, table.name);
    return new Generation(number, engine, place, new TableStore(engine.open(place), table, host));
  }

  /** Opens what a folder has, oldest first; removes what a kill kept from being removed. */
  static List<Generation> openAll(
      StoreFolder folder, KvEngine engine, TableMetadataRef table, UUID host) {
    List<Generation> found = new ArrayList<>();
    try {
      for (long number : Generation.numbers(folder.path())) {
        Generation generation = open(folder, number, engine, table, host);
        if (generation.isRetired()) {
          generation.delete();
        } else {
          found.add(generation);
        }
      }
      return found;
    } catch (RuntimeException e) {
      found.forEach(generation -> generation.store().close());
      throw e;
    }
  }

  /** Whether a kill came between the end of its spill and its removal. */
  boolean isRetired() {
    return store.state().retired();
  }

  public TableStore store() {
    return store;
  }

  long number() {
    return number;
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

  /**
   * Records in the store that its data is elsewhere: from then on no start reads it.
   *
   * @throws StoreAwayException if its server is away: nothing is recorded
   */
  void retire() {
    try {
      if (!isLost()) {
        store.retire();
      }
    } catch (StoreAwayException away) {
      throw away;
    } catch (StoreException e) {
      logger.warn("Cannot retire the store {}", place.directory(), e);
    }
  }

  /**
   * Closes the store and removes it; what a kill leaves of a retired one goes at the next start.
   */
  void delete() {
    try {
      store.close();
      engine.drop(place);
    } catch (StoreException e) {
      store.close();
      logger.warn("Cannot delete the store {}: delete it by hand", place.directory(), e);
    }
  }

  /** The numbers of the generations in a table's directory, ascending. */
  static List<Long> numbers(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.matches(NUMBER))
          .map(Long::valueOf)
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the stores in " + directory, e);
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
