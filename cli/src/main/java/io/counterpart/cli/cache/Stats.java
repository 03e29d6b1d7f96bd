package io.counterpart.cli.cache;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses and formats numbers of memcached's {@code stats}. */
final class Stats {

  private Stats() {}

  /** The number under a name; null if it is missing, or not a number. */
  static @Nullable Long number(Map<String, String> stats, String name) {
    String text = stats.getOrDefault(name, "");
    return text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
  }

  /** Hits as a share of hits and misses; null before any read. */
  static @Nullable Double hitPercent(Map<String, String> stats) {
    Long hits = number(stats, "get_hits");
    Long misses = number(stats, "get_misses");
    return hits == null || misses == null || hits + misses == 0
        ? null
        : 100.0 * hits / (hits + misses);
  }

  static String cell(@Nullable Long number) {
    return number == null ? "-" : number.toString();
  }

  static String percent(@Nullable Double percent) {
    return percent == null ? "-" : String.format(Locale.ROOT, "%.1f", percent);
  }
}
