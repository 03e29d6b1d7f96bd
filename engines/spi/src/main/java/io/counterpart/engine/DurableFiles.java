package io.counterpart.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Directories and small files whose names and content survive the machine. Thread-safe. */
public final class DurableFiles {

  private DurableFiles() {}

  /** Creates a directory and those above it: each new one's name is as durable as its content. */
  public static void createDirectories(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (Files.isDirectory(directory) || parent == null) {
      return;
    }
    createDirectories(parent);
    Files.createDirectories(directory);
    sync(parent);
  }

  /** Writes a file as a whole, or not at all; its directory is created if it is not there. */
  public static void write(Path file, String text) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IOException(file + " is no file in a directory");
    }
    createDirectories(directory);
    Path made = directory.resolve(file.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            made,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    sync(directory);
  }

  /** Makes the names in a directory durable. */
  public static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
