package io.counterpart.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.process.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * The files in which memcached servers keep their items over a stop by SIGUSR1: for each server a
 * file as large as its memory, and beside it the state of the stop, which the next start removes.
 * Memcached 1.6 lets its clock begin 62 s before its start and rejects the items of a later stop.
 * So a start must wait until the stop lies that far back. Thread-safe.
 *
 * @param directory on a tmpfs, because memcached writes each item there
 */
public record ItemFiles(Path directory) {
  private static final String MEMORY = "tmpfs";
  private static final long MIB = 1 << 20;

  /** In which Linux counts what a file occupies. */
  private static final long BLOCK = 512;

  private static final long LEAST_SECONDS_STOPPED = 65;
  private static final String STOP_TIME = "Kstop_time ";

  public ItemFiles {
    directory = directory.toAbsolutePath().normalize();
  }

  /** File of the server on a port. */
  Path of(int port) {
    return directory.resolve("memcached-" + port);
  }

  private Path notesOf(int port) {
    return directory.resolve("memcached-" + port + ".meta");
  }

  /**
   * Time that the start of servers has to wait, so that each accepts its kept items.
   *
   * @return zero if no server has kept any
   * @throws UncheckedIOException if the state of a stop cannot be read
   */
  public Duration waiting(Collection<Integer> ports, Instant now) {
    long start = ports.stream().mapToLong(this::earliestStart).max().orElse(0);
    Duration left = Duration.between(now, Instant.ofEpochSecond(start));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private long earliestStart(int port) {
    Path notes = notesOf(port);
    if (!Files.exists(notes)) {
      return 0;
    }
    try {
      return Files.readAllLines(notes, ISO_8859_1).stream()
          .filter(line -> line.startsWith(STOP_TIME))
          .mapToLong(line -> seconds(line.substring(STOP_TIME.length())))
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + notes, e);
    }
  }

  /** Parses a number of seconds; memcached does not accept other text. */
  private static long seconds(String text) {
    return text.matches("\\d{1,12}") ? Long.parseLong(text) + LEAST_SECONDS_STOPPED : 0;
  }

  /** Deletes the files of stopped servers, which frees their memory. */
  public void delete(Collection<Integer> ports) {
    for (int port : ports) {
      try {
        Files.deleteIfExists(notesOf(port));
        Files.deleteIfExists(of(port));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + of(port), e);
      }
    }
  }

  /**
   * Checks that servers can start there.
   *
   * @param ports of the servers to start
   */
  public Check check(Collection<Integer> ports, MemcachedSpec spec) {
    String needed =
        "a directory on a %s with %d MiB for %d servers"
            .formatted(MEMORY, ports.size() * (long) spec.memoryMegabytes(), ports.size());
    try {
      if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
        return failed(directory + " is no directory, or not to be written", needed);
      }
      String type = Files.getFileStore(directory).type();
      if (!type.equals(MEMORY)) {
        return failed(directory + " is on a file system of type " + type, needed);
      }
      long free = (Files.getFileStore(directory).getUsableSpace() + occupied(ports)) / MIB;
      boolean enough = free >= ports.size() * (long) spec.memoryMegabytes();
      return new Check("warm", enough, free + " MiB free in " + directory, needed);
    } catch (IOException e) {
      return failed(directory + " cannot be looked at: " + e.getMessage(), needed);
    }
  }

  /** Bytes that the existing files occupy. */
  private long occupied(Collection<Integer> ports) throws IOException {
    long bytes = 0;
    for (int port : ports) {
      bytes += Files.exists(of(port)) ? occupied(of(port)) : 0;
    }
    return bytes;
  }

  /** Less than its length, where memcached has not filled it: holes occupy nothing. */
  private static long occupied(Path file) throws IOException {
    try {
      // the JDK knows the length alone
      Process stat =
          new ProcessBuilder("stat", "-c", "%b", file.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String blocks = new String(stat.getInputStream().readAllBytes(), ISO_8859_1).strip();
      return blocks.matches("\\d{1,12}") ? Long.parseLong(blocks) * BLOCK : Files.size(file);
    } catch (IOException noSuchProgram) {
      return Files.size(file);
    }
  }

  private static Check failed(String found, String needed) {
    return new Check("warm", false, found, needed);
  }
}
