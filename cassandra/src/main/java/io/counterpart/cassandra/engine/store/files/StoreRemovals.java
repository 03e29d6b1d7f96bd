package io.counterpart.cassandra.engine.store.files;

import io.counterpart.engine.StoreAwayException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores on servers that are to be deleted: when their last reader has ended, who would find
 * nothing, and when their server is there. A kill in between leaves them to the next start of their
 * table. Thread-safe, but for {@link #run}.
 */
public final class StoreRemovals {
  /** Tables come and go. */
  public static final StoreRemovals NODE = new StoreRemovals(System::nanoTime);

  private static final Logger logger = LoggerFactory.getLogger(StoreRemovals.class);

  /** After a server was away. Short, since a connection of before its absence fails once more. */
  static final Duration REST = Duration.ofSeconds(2);

  private record Removal(StoreLocation store, BooleanSupplier isReleased) {}

  private final LongSupplier nanoTime;

  /** By directory. */
  private final Map<Path, Removal> removals = new ConcurrentHashMap<>();

  /** When servers that were away are asked again, by location. */
  private final Map<String, Long> rests = new HashMap<>();

  StoreRemovals(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * @param store closed and retired
   */
  void add(StoreLocation store, BooleanSupplier isReleased) {
    removals.putIfAbsent(store.place().directory(), new Removal(store, isReleased));
  }

  /**
   * Deletes what may be deleted now. May take long; not to be called twice at once.
   *
   * @param emptied gets the folders of stores that have gone, if nothing else is in them
   */
  public void run(Consumer<StoreFolder> emptied) {
    removals.forEach(
        (directory, removal) -> {
          try {
            if (isDone(removal)) {
              removals.remove(directory);
              StoreFolder folder = removal.store().folder();
              if (folder.isUnused()) {
                emptied.accept(folder);
              }
            }
          } catch (RuntimeException e) {
            removals.remove(directory);
            logger.warn("Cannot delete all of the store {}", directory, e);
          }
        });
  }

  private boolean rests(StoreLocation store) {
    Long end = rests.get(store.engine().location());
    return end != null && nanoTime.getAsLong() - end < 0;
  }

  /** Whether no further attempt is needed. */
  private boolean isDone(Removal removal) {
    StoreLocation store = removal.store();
    if (!store.isRetired()) {
      // it has gone; another one may have its number
      return true;
    }
    if (rests(store) || !removal.isReleased().getAsBoolean()) {
      return false;
    }
    String server = store.engine().location();
    try {
      store.delete();
      rests.remove(server);
      return true;
    } catch (StoreAwayException e) {
      boolean isNew = rests.put(server, nanoTime.getAsLong() + REST.toNanos()) == null;
      if (isNew) {
        logger.warn("Stores of before stay on {} until it answers", server, e);
      }
      return false;
    }
  }
}
