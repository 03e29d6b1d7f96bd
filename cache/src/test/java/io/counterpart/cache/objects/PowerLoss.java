package io.counterpart.cache.objects;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Simulates a loss of power on a metadata directory: cuts the log off at its last sync or after it.
 */
final class PowerLoss {
  private static final int SEGMENT_BITS = 32;
  private static final int PAGE_BYTES = 512;

  private PowerLoss() {}

  /**
   * Cuts the last file off at its last sync, or somewhere after it, perhaps within a record or with
   * a page of zeros.
   *
   * @param durable number of the log file × 2³² + offset
   */
  static void cut(Path directory, long durable, Random random) throws IOException {
    List<Path> segments = segments(directory);
    Path last = segments.get(segments.size() - 1);
    if (!last.toString().endsWith("%010d.log".formatted(durable >>> SEGMENT_BITS))) {
      throw new IllegalStateException(last + " is not where the log is durable to: " + durable);
    }
    byte[] bytes = Files.readAllBytes(last);
    int synced = (int) durable;
    int tail = bytes.length - synced;
    int kept = random.nextBoolean() ? synced : synced + random.nextInt(tail + 1);
    if (kept > synced && random.nextInt(3) == 0) {
      int hole = synced + random.nextInt(kept - synced);
      Arrays.fill(bytes, hole, Math.min(kept, hole + PAGE_BYTES), (byte) 0);
    }
    Files.write(last, Arrays.copyOf(bytes, kept));
  }

  /** The present end of the log, as a durable position. */
  static long end(Path directory) throws IOException {
    List<Path> segments = segments(directory);
    Path last = segments.get(segments.size() - 1);
    String number = last.getFileName().toString().replaceAll("\\D", "");
    return (Long.parseLong(number) << SEGMENT_BITS) + Files.size(last);
  }

  private static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }
}
