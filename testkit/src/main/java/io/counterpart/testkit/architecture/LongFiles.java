package io.counterpart.testkit.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Source files of production code that hold more than one concept, as their length tells. */
public final class LongFiles {
  private static final int MOST_LINES = 300;

  /** Modules lie in the checkout or in a folder of it. */
  static final int MODULE_DEPTH = 2;

  private LongFiles() {}

  /**
   * Files of more than {@value #MOST_LINES} lines that are no named exceptions.
   *
   * @param root the checkout, with modules that have {@code src/main/java}
   */
  public static List<String> in(Path root) throws IOException {
    try (Stream<Path> modules = Files.walk(root, MODULE_DEPTH)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(LongFiles::sources)
          .filter(file -> lines(file) > MOST_LINES)
          .filter(file -> NamedExceptions.LONG_FILES.stream().noneMatch(file.toString()::contains))
          .map(file -> "%s has %d lines".formatted(root.relativize(file), lines(file)))
          .sorted()
          .toList();
    }
  }

  private static Stream<Path> sources(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + directory, e);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
