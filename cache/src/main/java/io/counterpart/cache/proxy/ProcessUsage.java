package io.counterpart.cache.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The resources that this process has used and may use, from the kernel. Thread-safe: no state. */
final class ProcessUsage {
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Indexes in {@link #STAT}, counted from the field after the name. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  /**
   * The length of Linux's ticks for user space, which does not depend on the kernel's own clock.
   */
  private static final long MICROS_PER_TICK = 10_000;

  private static final long MICROS_PER_SECOND = 1_000_000;

  private ProcessUsage() {}

  /**
   * CPU time as memcached writes it, {@code seconds.microseconds}.
   *
   * @param user in user space
   * @param system in the kernel
   */
  record CpuTime(String user, String system) {}

  /** CPU time so far; all of it counts as user's where the kernel does not separate the two. */
  static CpuTime cpuTime() {
    try {
      String stat = Files.readString(STAT);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return new CpuTime(
          text(Long.parseLong(fields[USER_TICKS]) * MICROS_PER_TICK),
          text(Long.parseLong(fields[SYSTEM_TICKS]) * MICROS_PER_TICK));
    } catch (IOException e) {
      Duration all = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      return new CpuTime(text(all.toNanos() / 1000), text(0));
    }
  }

  private static String text(long micros) {
    return "%d.%06d".formatted(micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND);
  }

  /** Number of files, and so of connections, that the process may have open. */
  static long mostConnections() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Integer.MAX_VALUE;
  }

  /** Bits of a pointer. */
  static int pointerBits() {
    return Integer.getInteger("sun.arch.data.model", Long.SIZE);
  }
}
