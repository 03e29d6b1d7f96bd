package io.counterpart.lab.measure;

import io.counterpart.lab.workload.TableRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files in which storage engines keep a table, in the folder {@value #FOLDER} of the table's
 * directory. An engine that keeps its data elsewhere has none. Stateless.
 */
final class StoreFiles {
  private static final String FOLDER = "engine";

  private StoreFiles() {}

  /**
   * Their length.
   *
   * @param data directory of a node's data
   */
  static long bytes(Path data, TableRef table) {
    Path keyspace = data.resolve(table.keyspace());
    if (!Files.isDirectory(keyspace)) {
      return 0;
    }
    try (Stream<Path> found = Files.list(keyspace)) {
      long bytes = 0;
      for (Path directory : found.toList()) {
        boolean isOfTable = directory.getFileName().toString().startsWith(table.table() + "-");
        bytes += isOfTable ? bytes(directory.resolve(FOLDER)) : 0;
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + keyspace, e);
    }
  }

  private static long bytes(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder)) {
      files = found.filter(Files::isRegularFile).toList();
    }
    long bytes = 0;
    for (Path file : files) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException dropped) {
        continue;
      }
    }
    return bytes;
  }
}
