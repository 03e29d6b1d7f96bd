package io.counterpart.cache.backend;

import java.time.Duration;

/**
 * Time-outs and retries of a connection to a server.
 *
 * @param connect limit for opening a connection
 * @param reply limit for an answer; a later answer loses the connection, since memcached answers in
 *     order
 * @param firstRetry pause before the first reconnection; doubles up to {@code lastRetry}
 * @param lastRetry the longest pause
 */
public record ConnectionSettings(
    Duration connect, Duration reply, Duration firstRetry, Duration lastRetry) {
  /** Defaults for a network within one site. */
  public static final ConnectionSettings DEFAULT =
      new ConnectionSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(50),
          Duration.ofSeconds(2));

  /** Validates the components. */
  public ConnectionSettings {
    if (!isPositive(connect) || !isPositive(reply) || !isPositive(firstRetry)) {
      throw new IllegalArgumentException(
          "times to wait %s, %s, %s: must be above 0".formatted(connect, reply, firstRetry));
    }
    if (lastRetry.compareTo(firstRetry) < 0) {
      throw new IllegalArgumentException(
          "longest pause %s: must be at least the first, %s".formatted(lastRetry, firstRetry));
    }
  }

  private static boolean isPositive(Duration time) {
    return !time.isNegative() && !time.isZero();
  }
}
