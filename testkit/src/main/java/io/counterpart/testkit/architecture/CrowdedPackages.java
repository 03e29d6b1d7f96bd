package io.counterpart.testkit.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Packages of production code with more files than a reader can keep apart. */
public final class CrowdedPackages {
  private static final int MOST_FILES = 25;

  private CrowdedPackages() {}

  /**
   * Packages of more than {@value #MOST_FILES} files.
   *
   * @param root the checkout, with modules that have {@code src/main/java}
   */
  public static List<String> in(Path root) throws IOException {
    List<String> crowded = new ArrayList<>();
    for (Path module : directories(root)) {
      Path sources = module.resolve("src/main/java");
      if (Files.isDirectory(sources)) {
        for (Path room : rooms(sources)) {
          long files = sourcesIn(room);
          if (files > MOST_FILES) {
            crowded.add("%s has %d files".formatted(root.relativize(room), files));
          }
        }
      }
    }
    return crowded;
  }

  private static List<Path> directories(Path directory) throws IOException {
    try (Stream<Path> entries = Files.walk(directory, LongFiles.MODULE_DEPTH)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static List<Path> rooms(Path sources) throws IOException {
    try (Stream<Path> entries = Files.walk(sources)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static long sourcesIn(Path room) throws IOException {
    try (Stream<Path> entries = Files.list(room)) {
      return entries.filter(entry -> entry.toString().endsWith(".java")).count();
    }
  }
}
