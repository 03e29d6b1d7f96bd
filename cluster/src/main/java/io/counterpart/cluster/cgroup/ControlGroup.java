package io.counterpart.cluster.cgroup;

import io.counterpart.process.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One control group. What a process reads and allocates counts in the group it is in at that
 * moment: memory that it has already stays with the group before.
 *
 * <p>Thread-safe as far as the kernel is: every call is one write or read of a file.
 */
public final class ControlGroup implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 50;

  private final List<Path> directories;
  private final Path memoryLimit;
  private final Path readLimit;
  private final Path memoryUsage;
  private final Path statistics;
  private final Path reclaim;
  private final Names names;

  /** What a version calls things. */
  private record Names(String noMemoryLimit, String readLimit, String cache) {}

  private ControlGroup(
      List<Path> directories,
      Path memoryLimit,
      Path readLimit,
      Path memoryUsage,
      Path statistics,
      Path reclaim,
      Names names) {
    this.directories = List.copyOf(directories);
    this.memoryLimit = memoryLimit;
    this.readLimit = readLimit;
    this.memoryUsage = memoryUsage;
    this.statistics = statistics;
    this.reclaim = reclaim;
    this.names = names;
  }

  static ControlGroup unified(Path directory) {
    return new ControlGroup(
        List.of(directory),
        directory.resolve("memory.max"),
        directory.resolve("io.max"),
        directory.resolve("memory.current"),
        directory.resolve("memory.stat"),
        directory.resolve("memory.high"),
        new Names("max", "%s riops=%s", "file"));
  }

  static ControlGroup perController(Path memory, Path blockIo) {
    return new ControlGroup(
        List.of(memory, blockIo),
        memory.resolve("memory.limit_in_bytes"),
        blockIo.resolve("blkio.throttle.read_iops_device"),
        memory.resolve("memory.usage_in_bytes"),
        memory.resolve("memory.stat"),
        memory.resolve("memory.force_empty"),
        new Names("-1", "%s %s", "total_cache"));
  }

  boolean canLimit() {
    return Files.isWritable(memoryLimit) && Files.isWritable(readLimit);
  }

  /** Moves a process here with all its threads. */
  public void add(long pid) throws IOException {
    for (Path directory : directories) {
      ControlGroups.write(directory.resolve("cgroup.procs"), String.valueOf(pid));
    }
  }

  /**
   * Limits anonymous memory and page cache together. The kernel drops page cache to get there.
   *
   * @param bytes 0 for no limit
   * @throws IOException if the processes hold more than that
   */
  public void limitMemory(long bytes) throws IOException {
    String value = bytes == 0 ? names.noMemoryLimit() : String.valueOf(bytes);
    // pages under write-back cannot be dropped at once
    for (int attempt = 1; ; attempt++) {
      try {
        ControlGroups.write(memoryLimit, value);
        return;
      } catch (IOException busy) {
        if (attempt == ATTEMPTS) {
          throw busy;
        }
        pause();
      }
    }
  }

  /**
   * Limits reads that reach a disk.
   *
   * @param disk a whole one
   * @param perSecond 0 for no limit
   */
  public void limitReads(Disk disk, int perSecond) throws IOException {
    boolean unified = readLimit.endsWith("io.max");
    String limit = perSecond == 0 && unified ? "max" : String.valueOf(perSecond);
    ControlGroups.write(readLimit, names.readLimit().formatted(disk.device(), limit));
  }

  /** Drops page cache as far as the kernel can; what is still being written may stay. */
  public void dropCache() throws IOException {
    if (reclaim.endsWith("memory.high")) {
      ControlGroups.write(reclaim, String.valueOf(residentBytes()));
      ControlGroups.write(reclaim, "max");
    } else {
      ControlGroups.write(reclaim, "0");
    }
  }

  /** Bytes that were allocated in this group and are no page cache: what a limit must leave. */
  public long residentBytes() throws IOException {
    long all = Long.parseLong(Files.readString(memoryUsage).strip());
    return Math.max(0, all - cacheBytes());
  }

  /** Bytes of page cache that were read or written in this group. */
  public long cacheBytes() throws IOException {
    return statistic(names.cache());
  }

  /**
   * Moves its processes to the group above, where nothing of this one's is limited, and removes it.
   */
  @Override
  public void close() {
    for (Path directory : directories) {
      try {
        moveOut(directory);
        Files.deleteIfExists(directory);
      } catch (IOException inUse) {
        // a process that has just ended is still counted for a moment; an empty group costs nothing
        continue;
      }
    }
  }

  private static void moveOut(Path directory) throws IOException {
    Path processes = directory.resolve("cgroup.procs");
    if (!Files.exists(processes)) {
      return;
    }
    Path above = directory.resolveSibling("cgroup.procs");
    for (String pid : Files.readAllLines(processes)) {
      try {
        ControlGroups.write(above, pid);
      } catch (IOException ended) {
        continue;
      }
    }
  }

  private long statistic(String name) throws IOException {
    return Files.readAllLines(statistics).stream()
        .map(line -> line.split(" ", 2))
        .filter(field -> field[0].equals(name))
        .map(field -> Long.parseLong(field[1].strip()))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name + " in " + statistics));
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the kernel drops page cache", e);
    }
  }
}
