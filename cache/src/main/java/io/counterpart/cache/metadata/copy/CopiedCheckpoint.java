package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files of a checkpoint that counts for the owner, and not yet here. */
final class CopiedCheckpoint {
  private final LogDirectory directory;

  /** Lengths by number, the first file first. */
  private final TreeMap<Integer, Integer> lengths = new TreeMap<>();

  CopiedCheckpoint(LogDirectory directory) {
    this.directory = directory;
  }

  /**
   * Appends bytes of a file.
   *
   * @param first number of the checkpoint's first file; another one than before begins anew
   */
  void append(int first, int file, int offset, byte[] bytes) throws IOException {
    if (!lengths.isEmpty() && lengths.firstKey() != first) {
      directory.delete(List.copyOf(lengths.keySet()));
      lengths.clear();
    }
    try (FileChannel channel =
        FileChannel.open(
            directory.segment(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (offset == 0) {
        channel.truncate(0);
      }
      CopyFiles.write(channel, offset, bytes);
    }
    lengths.put(file, offset + bytes.length);
  }

  /** Makes the files durable, but not their names. */
  void sync() throws IOException {
    for (int file : lengths.keySet()) {
      DurableFiles.syncFile(directory.segment(file));
    }
  }

  /** Number of the first file. */
  int first() {
    return lengths.firstKey();
  }

  /** Lengths of the files by number. */
  Map<Integer, Integer> lengths() {
    return lengths;
  }

  /** Forgets the files. */
  void clear() {
    lengths.clear();
  }
}
