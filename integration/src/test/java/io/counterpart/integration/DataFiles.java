package io.counterpart.integration;

import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Files on a node's disk: a table's, and the commit log. */
final class DataFiles {
  private static final Duration DELETION = Duration.ofSeconds(60);

  private DataFiles() {}

  static Path directory(Node node, String keyspace, String table) {
    try (Stream<Path> tables = Files.list(node.dataDirectory().resolve(keyspace))) {
      return tables
          .filter(path -> path.getFileName().toString().startsWith(table + "-"))
          .max(Comparator.comparingLong(DataFiles::createdAt))
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A dropped table's directory may be there still: each one's name ends with a time UUID. */
  private static long createdAt(Path directory) {
    String name = directory.getFileName().toString();
    String id = name.substring(name.lastIndexOf('-') + 1);
    return new UUID(
            Long.parseUnsignedLong(id.substring(0, 16), 16),
            Long.parseUnsignedLong(id.substring(16), 16))
        .timestamp();
  }

  /** The data components of all sstables. */
  static List<Path> of(Node node, String keyspace, String table) {
    return in(directory(node, keyspace, table));
  }

  /** The same of a directory, as a snapshot's. */
  static List<Path> in(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(path -> path.toString().endsWith("-Data.db")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the sstables of a snapshot in place, beside what the table has. */
  static void restore(Node node, String keyspace, String table, String snapshot)
      throws IOException {
    Path directory = directory(node, keyspace, table);
    try (Stream<Path> files = Files.list(directory.resolve("snapshots").resolve(snapshot))) {
      for (Path file : files.filter(path -> path.toString().contains("-big-")).toList()) {
        Path target = directory.resolve(file.getFileName());
        // the table may have let go of its own just now, which are deleted in the background
        await().atMost(DELETION).pollDelay(Duration.ZERO).until(() -> Files.notExists(target));
        Files.copy(file, target);
      }
    }
    String text = String.class.getName();
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          NodeJmx.STORAGE_SERVICE,
          "loadNewSSTables",
          new Object[] {keyspace, table},
          new String[] {text, text});
    }
  }

  /** What a loss of power may take: the log is not synced with each write. */
  static void deleteCommitLog(Node node) throws IOException {
    try (Stream<Path> files = Files.list(node.directory().resolve("commitlog"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
