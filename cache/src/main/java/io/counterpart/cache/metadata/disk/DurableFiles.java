package io.counterpart.cache.metadata.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Writes files whose name and content survive a loss of power, and checksums by which damage is
 * found. A name is durable only after a sync of its directory. Thread-safe: no state.
 */
public final class DurableFiles {
  private static final int REWRITE_BYTES = 1 << 20;

  private DurableFiles() {}

  /** Replaces a file with one that was just written; durable on return. */
  private static void replace(Path written, Path file) throws IOException {
    sync(written, StandardOpenOption.WRITE);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  /**
   * Gives a file a content, at once; durable on return. Several processes may do it at once: the
   * last one counts.
   */
  public static void write(Path file, String content) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".next");
    Files.writeString(next, content);
    replace(next, file);
  }

  /** As {@link #write}, by one process at a time. */
  public static void overwrite(Path file, byte[] content) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.write(next, content);
    replace(next, file);
  }

  /** Checksum (CRC32C) of a part of a buffer, which stays as it is. */
  public static int checksum(ByteBuffer bytes, int from, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(end).position(from));
    return (int) crc.getValue();
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

  /**
   * Writes a part of a file once more, and syncs it: after a failed sync the kernel may take bytes
   * for written that are not on disk, and the next sync succeeds without them.
   */
  public static void rewrite(Path file, int from, int end) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      rewrite(channel, from, end);
    }
  }

  /**
   * As {@link #rewrite(Path, int, int)}.
   *
   * @param end offset behind the last byte, at most the file's length
   */
  public static void rewrite(FileChannel file, int from, int end) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(REWRITE_BYTES);
    for (int at = from; at < end; at += bytes.limit()) {
      bytes.clear().limit(Math.min(end - at, REWRITE_BYTES));
      while (bytes.hasRemaining()) {
        if (file.read(bytes, at + bytes.position()) < 0) {
          throw new IOException("a file has become shorter than " + end + " bytes");
        }
      }
      bytes.flip();
      while (bytes.hasRemaining()) {
        file.write(bytes, at + bytes.position());
      }
    }
    file.force(true);
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }
}
