package io.counterpart.integration;

import io.counterpart.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A table's files on a node's disk. */
final class DataFiles {
  private DataFiles() {}

  static Path directory(Node node, String keyspace, String table) {
    try (Stream<Path> tables = Files.list(node.dataDirectory().resolve(keyspace))) {
      return tables
          .filter(path -> path.getFileName().toString().startsWith(table + "-"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The data components of all sstables. */
  static List<Path> of(Node node, String keyspace, String table) {
    try (Stream<Path> files = Files.list(directory(node, keyspace, table))) {
      return files.filter(path -> path.toString().endsWith("-Data.db")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
