package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Copies a log's directory as a crash would leave it, and damages the copy. */
final class LogCopy {
  private LogCopy() {}

  /** Copies the files on disk, with the owner's file of the running process. */
  static Path of(Path directory, Path copy) throws IOException {
    Files.createDirectories(copy);
    for (Path file : files(directory)) {
      if (!file.toString().endsWith(".map")) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  static List<Path> segments(Path directory) throws IOException {
    return files(directory).stream()
        .filter(file -> file.getFileName().toString().startsWith("segment-"))
        .toList();
  }

  static Path lastSegment(Path directory) throws IOException {
    List<Path> segments = segments(directory);
    return segments.get(segments.size() - 1);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  static void truncate(Path file, int length) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, length));
  }

  static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x20;
    Files.write(file, bytes);
  }
}
