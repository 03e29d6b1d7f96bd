package io.counterpart.lab.tier.arm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Directories that a run empties at its end. Stateless. */
public final class Scratch {
  private static final int HEX = 16;

  private Scratch() {}

  /** Deletes a directory with its content, if it exists. */
  public static void clear(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Bytes of the files below a directory with a given end of the name. */
  static long bytes(Path directory, String end) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(end)).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /**
   * Bytes of a directory's files that this process has mapped, deleted ones included. Several
   * mappings of a file share memory: each file counts up to the last mapped byte.
   */
  static long mappedBytes(Path directory) throws IOException {
    String below = directory.toRealPath() + "/";
    Map<String, Long> ends = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(below)) {
        // from-to permissions offset device inode path
        String[] fields = line.split(" +", 6);
        String[] range = fields[0].split("-", -1);
        long length = Long.parseLong(range[1], HEX) - Long.parseLong(range[0], HEX);
        ends.merge(fields[4], Long.parseLong(fields[2], HEX) + length, Math::max);
      }
    }
    return ends.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Deletes the directories of killed runs; each run has a directory with its process id. */
  public static void clearDead(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return;
    }
    List<Path> runs;
    try (Stream<Path> files = Files.list(home)) {
      runs = files.filter(run -> run.getFileName().toString().matches("\\d{1,9}")).toList();
    }
    for (Path run : runs) {
      if (ProcessHandle.of(Long.parseLong(run.getFileName().toString())).isEmpty()) {
        clear(run);
      }
    }
  }
}
