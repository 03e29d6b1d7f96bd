package io.counterpart.lab.remote.advice;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap that the engine {@code memory} has on a node, as far as the node's settings show it: the
 * parameter {@code memory} of its configuration, or else {@code memtable_heap_space}, which is a
 * quarter of the heap by default, as the engine's memory is.
 */
final class MemoryBudget {
  private static final Pattern PARAMETER =
      Pattern.compile("[{ ,\"]memory\"?[=:] ?\"?(\\d{1,12}) ?(KiB|MiB|GiB)");
  private static final Pattern SPACE = Pattern.compile("(\\d{1,12}) ?(KiB|MiB|GiB)");

  private MemoryBudget() {}

  /** Bytes; 0 where the settings show neither. */
  static long of(String configurations, String heapSpace) {
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
