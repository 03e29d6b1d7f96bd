package io.counterpart.core.engine;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether an engine's server is away, as flushes see it: from a write that failed to the first
 * probe that is answered. Flushes go round the server meanwhile, since one that waits holds up
 * those of other tables.
 *
 * <p>A server without room answers, and takes nothing. So each write that fails soon after an
 * answer doubles the rest before the next probe, from {@link #FIRST_REST} to {@link #LONGEST_REST}.
 * Thread-safe.
 */
public final class ServerAbsence {
  /** Before the first probe, and between probes. */
  public static final Duration FIRST_REST = Duration.ofSeconds(1);

  /** Before the first probe, at most. */
  public static final Duration LONGEST_REST = Duration.ofSeconds(64);

  private final LongSupplier nanos;

  // guarded by this
  private @Nullable String reason;
  private long nextProbe;
  private long rest = FIRST_REST.toNanos();

  /**
   * @param nanos a clock, in nanoseconds
   */
  public ServerAbsence(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether flushes go round the server. */
  public synchronized boolean isAway() {
    return reason != null;
  }

  /** Why; null if the server is there. */
  public synchronized @Nullable String reason() {
    return reason;
  }

  /**
   * A write failed, since the server is away.
   *
   * @return whether that is news
   */
  public synchronized boolean fail(String why) {
    boolean isNews = reason == null;
    if (isNews) {
      reason = why;
      nextProbe = nanos.getAsLong() + rest;
      rest = Math.min(2 * rest, LONGEST_REST.toNanos());
    }
    return isNews;
  }

  /** Whether the caller is to ask the server now; nobody else is, for {@link #FIRST_REST}. */
  public synchronized boolean takeProbe() {
    long now = nanos.getAsLong();
    if (reason == null || now - nextProbe < 0) {
      return false;
    }
    nextProbe = now + FIRST_REST.toNanos();
    return true;
  }

  /**
   * A probe was answered.
   *
   * @return whether that is news
   */
  public synchronized boolean answer() {
    boolean isNews = reason != null;
    reason = null;
    return isNews;
  }

  /** A write succeeded: the next failure is a new one. */
  public synchronized void take() {
    rest = FIRST_REST.toNanos();
  }
}
