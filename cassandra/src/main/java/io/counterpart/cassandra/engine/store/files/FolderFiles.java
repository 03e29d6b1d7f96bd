package io.counterpart.cassandra.engine.store.files;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The generations in a folder of stores: a directory each, named by its number. A file {@code
 * N.retired} beside it says that the data of generation N is elsewhere: no start reads the store
 * from then on. It outlasts the store, which may be on a server that is away. A file {@code
 * N.unopened} says that generation N, the first one, was never opened: it has no data.
 *
 * @param folder need not exist
 */
public record FolderFiles(Path folder) {
  private static final String RETIRED = ".retired";
  private static final String UNOPENED = ".unopened";
  private static final String NUMBER = "[1-9][0-9]{0,17}";

  public Path directory(long number) {
    return folder.resolve(Long.toString(number));
  }

  /** Those that may have data, ascending: neither retired nor unopened. */
  public List<Long> numbers() {
    // these first: one that goes in between takes its mark along last
    Set<Long> without = retired();
    without.addAll(numbers(UNOPENED));
    Set<Long> numbers = numbers("");
    numbers.removeAll(without);
    return List.copyOf(numbers);
  }

  /** Those of which a start removes what is left, ascending. */
  public Set<Long> retired() {
    return numbers(RETIRED);
  }

  /** One that no generation has had of which anything is left. */
  public long next() {
    return Stream.concat(numbers("").stream(), retired().stream()).mapToLong(n -> n).max().orElse(0)
        + 1;
  }

  /** The number of one that was never opened; {@link #next} if there is none. */
  public long unopened() {
    return numbers(UNOPENED).stream().findFirst().orElseGet(this::next);
  }

  private Set<Long> numbers(String suffix) {
    if (!Files.isDirectory(folder)) {
      return new TreeSet<>();
    }
    Set<Long> numbers = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(suffix))
          .map(name -> name.substring(0, name.length() - suffix.length()))
          .filter(name -> name.matches(NUMBER))
          .forEach(name -> numbers.add(Long.valueOf(name)));
      return numbers;
    } catch (IOException e) {
      throw new StoreException("cannot list the stores in " + folder, e);
    }
  }

  /** Retires a generation, durably. */
  public void retire(long number) {
    mark(number, RETIRED);
  }

  /** Forgets a retired generation of which nothing is left. */
  public void forget(long number) {
    unmark(number, RETIRED);
  }

  /** A generation is about to be opened for the first time. */
  public void markUnopened(long number) {
    if (!numbers(UNOPENED).contains(number)) {
      mark(number, UNOPENED);
    }
  }

  /** It may have data from now on. */
  public void markOpened(long number) {
    unmark(number, UNOPENED);
  }

  private void mark(long number, String suffix) {
    Path mark = folder.resolve(number + suffix);
    try {
      DurableFiles.write(mark, "");
    } catch (IOException e) {
      throw new StoreException("cannot write " + mark, e);
    }
  }

  private void unmark(long number, String suffix) {
    Path mark = folder.resolve(number + suffix);
    try {
      if (Files.deleteIfExists(mark)) {
        DurableFiles.sync(folder);
      }
    } catch (IOException e) {
      throw new StoreException("cannot delete " + mark, e);
    }
  }
}
