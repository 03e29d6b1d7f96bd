package io.counterpart.cache.forward;

import io.counterpart.cache.backend.ConnectionSettings;
import java.time.Duration;

/** Time limits between owner and followers. */
public final class ForwardLimits {
  /**
   * How old a request may be when the owner takes it up. A follower tells a client that a write has
   * no answer only when this time has passed, or the owner takes up nothing of the connection any
   * more: so what a client was told to be uncertain is done by then, or never.
   */
  public static final Duration REQUEST_AGE = Duration.ofSeconds(3);

  /** Until the owner has answered a greeting; so far the follower's view of its clock may lag. */
  public static final Duration GREETING = Duration.ofSeconds(1);

  /** How long requests wait for an owner, where none is known. */
  public static final Duration NO_OWNER = Duration.ofSeconds(2);

  /** What a wait for the owner's clock may be wrong by, in rounding. */
  static final Duration MARGIN = Duration.ofMillis(100);

  /** How often a follower tells when it sends. */
  static final long TIME_MARK_MILLIS = 100;

  /**
   * An owner may wait for memcached servers, or for a persistent store, before it answers: longer
   * than either does by itself.
   */
  static final ConnectionSettings CONNECTION =
      new ConnectionSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMillis(20),
          Duration.ofMillis(100));

  private ForwardLimits() {}
}
