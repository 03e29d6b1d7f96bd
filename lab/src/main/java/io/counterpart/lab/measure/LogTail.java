package io.counterpart.lab.measure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The lines added to a log since this object was created. */
final class LogTail {
  private final Path file;
  private final long from;

  LogTail(Path file) {
    this.file = file;
    try {
      from = Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the size of " + file, e);
    }
  }

  List<String> lines() {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      // a log that shrank was rolled: all that it holds is new
      log.seek(log.length() < from ? 0 : from);
      byte[] bytes = new byte[Math.toIntExact(log.length() - log.getFilePointer())];
      log.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
