package io.counterpart.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Memory that new processes can take, in bytes, on this Linux machine or container. */
public final class MachineMemory {

  private static final List<Path> CGROUP_LIMITS =
      List.of(
          Path.of("/sys/fs/cgroup/memory.max"),
          Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

  private MachineMemory() {}

  /** What is available, or the control group's limit if that is less; 0 if it cannot be told. */
  public static long availableBytes() {
    long available = memAvailable();
    for (Path limit : CGROUP_LIMITS) {
      available = Math.min(available, limitBytes(limit));
    }
    return available;
  }

  private static long memAvailable() {
    try {
      return Files.readAllLines(Path.of("/proc/meminfo")).stream()
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException notLinux) {
      return 0;
    }
  }

  // page cache counts as used in a control group, so its usage says little: the limit alone is
  // taken
  private static long limitBytes(Path file) {
    try {
      String text = Files.readAllLines(file).get(0).strip();
      return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
    } catch (IOException | NumberFormatException noLimit) {
      return Long.MAX_VALUE;
    }
  }
}
