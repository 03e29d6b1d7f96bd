package io.counterpart.cache.metadata;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a log: {@code segment-N.log}, and {@code start}, which names the first log file that
 * counts ({@code number u32 | crc32c u32}). Renaming {@code start} commits a checkpoint.
 */
public final class LogDirectory {
  private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{10})\\.log");
  private static final String START = "start";
  private static final int START_BYTES = 8;

  private final Path path;

  /** The files in a directory that exists. */
  public LogDirectory(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** A log file by its number. */
  public Path segment(int number) {
    return path.resolve(String.format("segment-%010d.log", number));
  }

  /** Log files by number. */
  public NavigableMap<Integer, Path> segments() throws IOException {
    NavigableMap<Integer, Path> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher name = SEGMENT.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.put(Integer.parseInt(name.group(1)), file);
        }
      }
    }
    return found;
  }

  /** Number of the first log file that counts; 1 before the first checkpoint. */
  public int start() throws IOException {
    Path file = path.resolve(START);
    if (!Files.exists(file)) {
      return 1;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.limit() != START_BYTES || bytes.getInt(4) != DurableFiles.checksum(bytes, 0, 4)) {
      throw new DamagedLogException(file, 0, "no number of a segment");
    }
    return bytes.getInt(0);
  }

  /** Changes the first log file that counts; atomic, and durable on return. */
  public void setStart(int number) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(START_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(number).putInt(DurableFiles.checksum(bytes, 0, 4));
    DurableFiles.overwrite(path.resolve(START), bytes.array());
  }

  /** Deletes log files, as far as they exist. */
  public void delete(List<Integer> numbers) throws IOException {
    for (int number : numbers) {
      Files.deleteIfExists(segment(number));
    }
  }

  /** Makes names of new, renamed and deleted files durable. */
  public void sync() throws IOException {
    DurableFiles.syncDirectory(path);
  }
}
