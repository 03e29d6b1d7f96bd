package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.LogFiles;
import io.counterpart.cache.metadata.LogPosition;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Reads and writes the files of a copy. No state. */
final class CopyFiles {
  private CopyFiles() {}

  /** Checksum (CRC32C) of the first bytes of a file, which has them. */
  static int checksum(Path file, int lengthBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(lengthBytes);
      if (bytes.length < lengthBytes) {
        throw new IOException("%s has become shorter than %d bytes".formatted(file, lengthBytes));
      }
      return DurableFiles.checksum(ByteBuffer.wrap(bytes), 0, lengthBytes);
    }
  }

  static void write(FileChannel channel, int offset, byte[] bytes) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      channel.write(in, offset + in.position());
    }
  }

  /**
   * Writes what is behind a position once more, and syncs it.
   *
   * @param lengths of the log's files by number
   */
  static void rewrite(
      LogDirectory directory,
      Map<Integer, Integer> lengths,
      long position,
      GrowingFile.Opener opener)
      throws IOException {
    for (Map.Entry<Integer, Integer> file : lengths.entrySet()) {
      int number = file.getKey();
      int length = file.getValue();
      if (LogPosition.of(number, length) > position) {
        int from = number == LogPosition.file(position) ? LogPosition.offset(position) : 0;
        try (FileChannel channel = opener.open(directory.segment(number))) {
          DurableFiles.rewrite(channel, from, length);
        }
      }
    }
  }

  /**
   * Finds the log in a directory, up to a position.
   *
   * @return lengths of its files by number
   */
  static NavigableMap<Integer, Integer> lengths(LogDirectory directory, int start, long most)
      throws IOException {
    NavigableMap<Integer, Integer> lengths = new TreeMap<>();
    NavigableMap<Integer, Path> files = directory.segments();
    int number = start;
    for (Path file = files.get(number);
        file != null && LogPosition.of(number, 0) < most;
        file = files.get(number)) {
      int length = Math.toIntExact(Files.size(file));
      boolean isLast = LogPosition.of(number, length) >= most;
      lengths.put(number, isLast ? LogPosition.offset(most) : length);
      if (isLast || length == 0) {
        return lengths;
      }
      number = LogFiles.following(file, number);
    }
    return lengths;
  }
}
