package io.counterpart.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The device that a file system is on. Reads Linux's /sys. Thread-safe.
 *
 * @param device as {@code MAJOR:MINOR}
 */
public record Disk(String device) {
  private static final int SECTORS_WRITTEN = 6;
  private static final long SECTOR_BYTES = 512;

  /** The device of the file system that holds a file. */
  public static Disk of(Path file) throws IOException {
    long device = (Long) Objects.requireNonNull(Files.getAttribute(file, "unix:dev"));
    long major = (device >>> 8) & 0xfff;
    long minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
    return new Disk(major + ":" + minor);
  }

  /** The disk of a partition, since only whole disks can be limited; itself if it is none. */
  public Disk whole() throws IOException {
    return Files.exists(entry().resolve("partition"))
        ? new Disk(Files.readString(entry().toRealPath().resolveSibling("dev")).strip())
        : this;
  }

  /**
   * Bytes that it has taken since the machine's start, whoever wrote them. What is still in the
   * page cache of a file system does not count; see {@link #flush}.
   *
   * <p>Not the sum of the processes' counters {@code write_bytes}: where the page cache has folios
   * of several pages, the kernel counts a whole folio there for each page that is written.
   *
   * @return empty for a file system without a device of its own
   */
  public OptionalLong bytesWritten() throws IOException {
    Path counters = entry().resolve("stat");
    if (!Files.exists(counters)) {
      return OptionalLong.empty();
    }
    String[] fields = Files.readString(counters).strip().split("\\s+");
    return OptionalLong.of(SECTOR_BYTES * Long.parseLong(fields[SECTORS_WRITTEN]));
  }

  /**
   * Writes what the file system of a file has in the page cache to its disk; takes as long as that
   * takes.
   */
  public static void flush(Path file) throws IOException {
    Process sync =
        new ProcessBuilder("sync", "-f", file.toString()).redirectErrorStream(true).start();
    try (InputStream output = sync.getInputStream()) {
      String said = new String(output.readAllBytes(), UTF_8).strip();
      if (sync.waitFor() != 0) {
        throw new IOException("cannot flush the file system of " + file + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + file + " goes to disk", e);
    }
  }

  private Path entry() {
    return Path.of("/sys/dev/block", device);
  }
}
