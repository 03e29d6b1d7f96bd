package io.counterpart.engine.memory;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An amount of the JVM's heap that an engine may take. */
record MemorySize(long bytes) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(KiB|MiB|GiB)");
  private static final Map<String, Long> UNITS =
      Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final long LEAST = 1L << 20;

  /**
   * @param option for messages
   * @param given as {@code 256MiB}; null for a quarter of the heap
   * @throws IllegalArgumentException if it is no size between 1 MiB and three quarters of the heap
   */
  static MemorySize of(String option, @Nullable String given, long heap) {
    if (given == null) {
      return new MemorySize(heap / 4);
    }
    Matcher text = TEXT.matcher(given);
    long bytes = text.matches() ? Long.parseLong(text.group(1)) * unit(text.group(2)) : -1;
    long most = heap / 4 * 3;
    if (bytes < LEAST || bytes > most) {
      throw new IllegalArgumentException(
          "'%s' is '%s', not a size from 1MiB to %dMiB, three quarters of the heap"
              .formatted(option, given, most >> 20));
    }
    return new MemorySize(bytes);
  }

  private static long unit(String name) {
    Long unit = UNITS.get(name);
    return unit == null ? 0 : unit;
  }
}
