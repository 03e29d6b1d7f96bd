package io.counterpart.lab.remote.advice;

import io.counterpart.lab.remote.MemtableSettings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap that the engine {@code memory} has on a node, as far as the node's settings show it: the
 * parameter {@code memory} of its configuration, or else {@code memtable_heap_space}, which is a
 * quarter of the heap by default, as the engine's memory is. None where the configuration of that
 * name keeps rows in the heap alone: advice makes no table less durable.
 */
final class MemoryBudget {
  /** Less than the smallest table needs, which may be 0 whole MiB. */
  static final long NONE = -1;

  /** The engine, and the configuration to which its tables are moved. */
  private static final String MEMORY = "memory";

  private static final Pattern PARAMETER =
      Pattern.compile("[{ ,\"]memory\"?[=:] ?\"?(\\d{1,12}) ?(KiB|MiB|GiB)");
  private static final Pattern SPACE = Pattern.compile("(\\d{1,12}) ?(KiB|MiB|GiB)");

  private MemoryBudget() {}

  /** Bytes; 0 where the settings show neither, {@link #NONE} where no table is to be there. */
  static long of(String configurations, String heapSpace) {
    if (MemtableSettings.of(configurations).isVolatile(MEMORY)) {
      return NONE;
    }
    Matcher parameter = PARAMETER.matcher(configurations);
    if (parameter.find()) {
      return bytes(parameter);
    }
    Matcher space = SPACE.matcher(heapSpace);
    return space.matches() ? bytes(space) : 0;
  }

  private static long bytes(Matcher size) {
    int shift =
        switch (size.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          default -> 30;
        };
    return Long.parseLong(size.group(1)) << shift;
  }
}
