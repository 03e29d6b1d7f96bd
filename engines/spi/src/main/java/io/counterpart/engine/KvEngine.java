package io.counterpart.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** An engine as it is configured: opens and drops stores. Thread-safe. */
public interface KvEngine {

  /**
   * What tells this engine's stores from those of the same engine elsewhere, as a server's address;
   * empty if a store is where its directory is. No secret: it is written down beside the store.
   */
  default String location() {
    return "";
  }

  /**
   * Whether stores are on a server, which may be away while this process runs: calls then fail with
   * {@link StoreAwayException}, and may take long before.
   */
  default boolean isOnServer() {
    return false;
  }

  /**
   * Whether what a store has is gone when its process ends. A table on such an engine is read only
   * after it was rebuilt from other nodes' copies.
   */
  default boolean isVolatile() {
    return false;
  }

  /**
   * What writers ask when they have waited for a server that is away for a second, and again every
   * 100 ms or so while they do. At false they fail with a {@link StoreAwayException}: others need
   * what the caller holds. To be called before a store is opened; without it, writers wait.
   */
  default void waitWhile(BooleanSupplier mayWait) {}

  /**
   * Bounds the reads that wait for the engine's server at a time: those of snapshots, but not of
   * {@link KvStore#writersSnapshot}. Whoever has several engines on a server gives them the same
   * permits. To be called before a store is opened; without it, as many may as there are
   * connections.
   */
  default void limitReaders(ReaderPermits permits) {}

  /**
   * Opens the store of a place, or creates it. One process opens a place once at a time.
   *
   * @throws StoreAwayException if the server is away, at once; a later call may succeed
   * @throws StoreException if the place cannot be used
   */
  KvStore open(StorePlace place);

  /**
   * Asks the engine's server for something small, for who has no store open there.
   *
   * @throws StoreAwayException if it does not answer
   */
  default void check() {}

  /**
   * Removes the store of a place, with all that it keeps elsewhere; an absent one is fine. It is
   * closed, and released ({@link KvStore#isReleased}).
   *
   * @throws StoreException if something is left; a second call may go on
   */
  default void drop(StorePlace place) {
    deleteFiles(place.directory());
  }

  /** Deletes a directory with its files; an absent one is fine. */
  static void deleteFiles(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(directory)) {
        files = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new StoreException("cannot delete the store " + directory, e);
    }
  }
}
