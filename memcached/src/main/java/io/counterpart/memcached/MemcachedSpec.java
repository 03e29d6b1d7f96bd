package io.counterpart.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a memcached server: an immutable, validated value. In any case a server has
 * one thread, listens only on 127.0.0.1 and does not speak UDP.
 *
 * @param program name of the program, looked up in PATH, or its path
 * @param memoryMegabytes memory for items, in MiB, 4 to 1048576, and 64 or more in a file; a
 *     process takes some 5 MiB more
 * @param evicting whether old items make room for new ones; else a full server refuses
 * @param maxItemBytes largest item with its key and memcached's own header, 1024 bytes to half of
 *     the memory, at most 1 GiB
 * @param options values of memcached's {@code -o}, such as {@code slab_automove_window=5}
 * @param itemFiles files in which items survive a stop by SIGUSR1; null for none
 */
public record MemcachedSpec(
    String program,
    int memoryMegabytes,
    boolean evicting,
    int maxItemBytes,
    List<String> options,
    @Nullable ItemFiles itemFiles) {

  /** The address that every server listens on. */
  public static final String ADDRESS = "127.0.0.1";

  private static final int MIN_MEMORY_MEGABYTES = 4;

  /**
   * Least memory in a file, which memcached allocates at the start: a MiB for each of up to 63
   * sizes of items.
   */
  private static final int MIN_FILE_MEGABYTES = 64;

  private static final int MAX_MEMORY_MEGABYTES = 1 << 20;
  private static final long MIB = 1 << 20;
  private static final int MIN_ITEM_BYTES = 1024;
  private static final int MAX_ITEM_BYTES = 1 << 30;
  private static final Pattern OPTION = Pattern.compile("[a-z][a-z_]*(=[^,=\\s]+)?");

  /**
   * @throws IllegalArgumentException with the value and the legal range
   */
  public MemcachedSpec {
    if (program.isBlank()) {
      throw new IllegalArgumentException("program is blank; a name such as memcached is needed");
    }
    int least = itemFiles == null ? MIN_MEMORY_MEGABYTES : MIN_FILE_MEGABYTES;
    requireRange("memory megabytes", memoryMegabytes, least, MAX_MEMORY_MEGABYTES);
    requireRange(
        "largest item's bytes",
        maxItemBytes,
        MIN_ITEM_BYTES,
        Math.min(MAX_ITEM_BYTES, memoryMegabytes * MIB / 2));
    for (String option : options) {
      if (!OPTION.matcher(option).matches()) {
        throw new IllegalArgumentException(
            "memcached option is '" + option + "', not a name or name=value");
      }
    }
    options = List.copyOf(options);
  }

  /** A server whose items end with its process. */
  public MemcachedSpec(
      String program,
      int memoryMegabytes,
      boolean evicting,
      int maxItemBytes,
      List<String> options) {
    this(program, memoryMegabytes, evicting, maxItemBytes, options, null);
  }

  /** The same, with items that survive a stop by SIGUSR1. */
  public MemcachedSpec with(ItemFiles files) {
    return new MemcachedSpec(program, memoryMegabytes, evicting, maxItemBytes, options, files);
  }

  /**
   * A server for the memory tier: Debian's program, no eviction, items of a MiB with the tier's own
   * additions, and slabs that move between sizes within seconds.
   */
  public static MemcachedSpec forTier(int memoryMegabytes) {
    return new MemcachedSpec(
        "memcached", memoryMegabytes, false, 2 << 20, List.of("slab_automove_window=5"));
  }

  /** The same for objects without redundancy: old items make room for new ones. */
  public static MemcachedSpec forCache(int memoryMegabytes) {
    MemcachedSpec tier = forTier(memoryMegabytes);
    return new MemcachedSpec(tier.program, memoryMegabytes, true, tier.maxItemBytes, tier.options);
  }

  /** The command line of a server. */
  List<String> command(MemcachedProgram found, int port) {
    List<String> command = new ArrayList<>();
    command.add(found.file().toString());
    command.addAll(List.of("-l", ADDRESS, "-p", String.valueOf(port), "-U", "0", "-t", "1"));
    command.addAll(List.of("-m", String.valueOf(memoryMegabytes)));
    command.addAll(List.of("-I", String.valueOf(maxItemBytes)));
    // started by root it insists on being told as whom to run; by others it does not look
    command.addAll(List.of("-u", System.getProperty("user.name", "root")));
    if (!evicting) {
      command.add("-M");
    }
    if (itemFiles != null) {
      command.addAll(List.of("-e", itemFiles.of(port).toString()));
    }
    if (!options.isEmpty()) {
      command.addAll(List.of("-o", String.join(",", options)));
    }
    return List.copyOf(command);
  }

  private static void requireRange(String what, int value, int low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(what + " are " + value + ", not in " + low + ".." + high);
    }
  }
}
