package io.counterpart.cache.forward;

import io.counterpart.cache.backend.ConnectionSettings;
import java.time.Duration;

/** Time limits between owner and followers. */
public final class ForwardLimits {
  /**
   * Age of a request above which the owner does not execute it. A follower tells a client that a
   * write has no answer only when this time has passed, or when the owner no longer takes requests
   * from the connection. So a write that a client was told to be uncertain is done by then, or
   * never.
   */
  public static final Duration REQUEST_AGE = Duration.ofSeconds(3);

  /**
   * Time for the owner to answer a greeting, and bound on the lag of the follower's estimate of its
   * clock.
   */
  public static final Duration GREETING = Duration.ofSeconds(1);

  /** Time for which requests wait for an owner when none is known. */
  public static final Duration NO_OWNER = Duration.ofSeconds(2);

  /** Margin for rounding in waits by the owner's clock. */
  static final Duration MARGIN = Duration.ofMillis(100);

  /** Interval at which a follower dates its requests. */
  static final long TIME_MARK_MILLIS = 100;

  /**
   * Settings of the connection. The reply time-out is longer than those of memcached servers and of
   * a persistent store, because the owner may wait for either before it answers.
   */
  static final ConnectionSettings CONNECTION =
      new ConnectionSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMillis(20),
          Duration.ofMillis(100));

  private ForwardLimits() {}
}
