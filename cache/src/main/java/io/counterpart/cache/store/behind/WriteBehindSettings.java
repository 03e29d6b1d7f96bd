package io.counterpart.cache.store.behind;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Bounds on the lag of a store behind write-behind.
 *
 * @param directory directory of pending changes; each proxy has one of its own
 * @param maxEntries keys with a pending change, 100 to 10,000,000
 * @param maxBytes bytes of their keys and values, 4 MiB to 64 GiB, which the proxy has in its heap
 * @param longestDelay delay before a change is sent, 0 to 60 s; it merges all changes of the key
 *     until then
 * @param longestWait longest wait of a change for room, 10 ms to 60 s; then it is refused
 * @param writesAtOnce writes to the store under way, 1 to 4096
 * @param retry pause before the store is tried again after as many failures in a row as it has
 *     writes at once, 1 ms to 60 s
 */
public record WriteBehindSettings(
    Path directory,
    int maxEntries,
    long maxBytes,
    Duration longestDelay,
    Duration longestWait,
    int writesAtOnce,
    Duration retry) {
  private static final int MIN_ENTRIES = 100;
  private static final int MAX_ENTRIES = 10_000_000;
  private static final long MIN_BYTES = 4L << 20;
  private static final long MAX_BYTES = 64L << 30;
  private static final int MAX_AT_ONCE = 4096;
  private static final long MAX_MILLIS = 60_000;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public WriteBehindSettings {
    require("keys to write behind", maxEntries, MIN_ENTRIES, MAX_ENTRIES);
    require("bytes to write behind", maxBytes, MIN_BYTES, MAX_BYTES);
    require("longest delay of writes behind in ms", longestDelay.toMillis(), 0, MAX_MILLIS);
    require("longest wait for room in ms", longestWait.toMillis(), 10, MAX_MILLIS);
    require("writes behind at once", writesAtOnce, 1, MAX_AT_ONCE);
    require("retry of writes behind in ms", retry.toMillis(), 1, MAX_MILLIS);
  }

  /** The default settings: 100,000 keys and 64 MiB, within a second. */
  public static WriteBehindSettings of(Path directory) {
    return new WriteBehindSettings(
        directory,
        100_000,
        64L << 20,
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        64,
        Duration.ofSeconds(1));
  }

  /** The settings of one of so many equal parts, up to 16. */
  public WriteBehindSettings divided(int parts) {
    return new WriteBehindSettings(
        directory,
        maxEntries / parts,
        maxBytes / parts,
        longestDelay,
        longestWait,
        Math.max(1, writesAtOnce / parts),
        retry);
  }

  private static void require(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: %d, legal: %d to %d".formatted(what, value, least, most));
    }
  }
}
