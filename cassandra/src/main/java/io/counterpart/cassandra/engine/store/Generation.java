package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.StoreClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One store of a table, in a directory of its own, whose name is the generation's number. */
public final class Generation {
  private static final String NUMBER = "[1-9][0-9]{0,17}";

  private final long number;
  private final Path directory;
  private final TableStore store;
  private volatile boolean spilled;
  private volatile boolean dropped;

  Generation(long number, Path directory, TableStore store) {
    this.number = number;
    this.directory = directory;
    this.store = store;
  }

  public TableStore store() {
    return store;
  }

  long number() {
    return number;
  }

  Path directory() {
    return directory;
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
}
