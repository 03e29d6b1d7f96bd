package io.counterpart.cache.metadata.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Writes files whose name and content survive a loss of power. A name is durable only after a sync
 * of its directory. Thread-safe: no state.
 */
public final class DurableFiles {
  private DurableFiles() {}

  /** Replaces a file with one that was just written; durable on return. */
  public static void replace(Path written, Path file) throws IOException {
    sync(written, StandardOpenOption.WRITE);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  /** Makes a directory and its parents; durable on return. */
  public static void makeDirectories(Path path) throws IOException {
    Path directory = path.toAbsolutePath();
    Path parent = directory.getParent();
    if (Files.isDirectory(directory) || parent == null) {
      return;
    }
    makeDirectories(parent);
    Files.createDirectories(directory);
    syncDirectory(parent);
  }

  /** Makes names of new, renamed and deleted files durable. */
  public static void syncDirectory(Path directory) throws IOException {
    sync(directory, StandardOpenOption.READ);
  }

  /** Makes the content of a file durable. */
  public static void syncFile(Path file) throws IOException {
    sync(file, StandardOpenOption.WRITE);
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }
}
