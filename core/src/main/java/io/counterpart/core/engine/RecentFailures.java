package io.counterpart.core.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Why the stores of a node's tables have failed of late. A table's last failure counts, for {@link
 * #KEPT}. Thread-safe.
 *
 * <p>A node tells others by a {@linkplain #line line}, {@code ks.t: reason | ks.u: reason}, of at
 * most {@value #MOST_LINE} characters. As a rule all tables on a server fail at once, each call
 * with other words: so a table's reason in the line changes only after {@link #KEPT}.
 */
public final class RecentFailures {
  /** How long a failure is told after it. */
  public static final Duration KEPT = Duration.ofSeconds(30);

  static final int MOST_TABLES = 100;
  static final int MOST_REASON = 250;
  static final int MOST_LINE = 2_000;

  private static final String BETWEEN = " | ";
  private static final String OF_TABLE = ": ";
  private static final Pattern SPACE_OR_BAR = Pattern.compile("[\\s|]+");

  private record Failure(String reason, long nanos) {}

  private final LongSupplier nanos;

  /** The table that failed last is the last one. Guarded by this. */
  private final Map<String, Failure> byTable = new LinkedHashMap<>();

  /** What the line says of tables, in their order. Guarded by this. */
  private final Map<String, Failure> told = new TreeMap<>();

  /**
   * @param nanos a clock, in nanoseconds
   */
  public RecentFailures(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * A call for a table failed.
   *
   * @param table as {@code keyspace.table}
   */
  public void note(String table, String reason) {
    Failure failure = new Failure(oneLine(reason), nanos.getAsLong());
    synchronized (this) {
      byTable.remove(table);
      byTable.put(table, failure);
      if (byTable.size() > MOST_TABLES) {
        Iterator<String> tables = byTable.keySet().iterator();
        tables.next();
        tables.remove();
      }
    }
  }

  private static String oneLine(String reason) {
    String line = SPACE_OR_BAR.matcher(reason).replaceAll(" ").strip();
    return line.length() <= MOST_REASON ? line : line.substring(0, MOST_REASON - 1) + "…";
  }

  /** A table's last failure, if it is recent. */
  public synchronized Optional<String> reason(String table) {
    forget(nanos.getAsLong());
    return Optional.ofNullable(byTable.get(table)).map(Failure::reason);
  }

  private void forget(long now) {
    byTable.values().removeIf(failure -> now - failure.nanos() > KEPT.toNanos());
  }

  /** The failures that are recent now, as far as there is room; empty without one. */
  public synchronized String line() {
    long now = nanos.getAsLong();
    forget(now);
    told.keySet().retainAll(byTable.keySet());
    byTable.forEach(
        (table, failure) ->
            told.merge(
                table,
                new Failure(failure.reason(), now),
                (before, next) -> now - before.nanos() > KEPT.toNanos() ? next : before));
    StringBuilder line = new StringBuilder();
    told.forEach(
        (table, failure) -> {
          String next = (line.isEmpty() ? "" : BETWEEN) + table + OF_TABLE + failure.reason();
          if (line.length() + next.length() <= MOST_LINE) {
            line.append(next);
          }
        });
    return line.toString();
  }

  /**
   * What a node's line says of a table.
   *
   * @param line of {@link #line}, or anything else
   */
  public static Optional<String> reason(String line, String table) {
    String begin = table + OF_TABLE;
    for (String failure : line.split(Pattern.quote(BETWEEN), -1)) {
      if (failure.startsWith(begin)) {
        return Optional.of(failure.substring(begin.length()));
      }
    }
    return Optional.empty();
  }
}
