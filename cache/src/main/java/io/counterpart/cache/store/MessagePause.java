package io.counterpart.cache.store;

/**
 * Lets a message through if none was in the last ten seconds: a store that answers now and then
 * must not flood the log. Belongs to one event loop.
 */
public final class MessagePause {
  private static final long NANOS = 10_000_000_000L;

  private long untilNanos = System.nanoTime();

  /** Whether a message may be logged now; if so, none may for ten seconds. */
  public boolean isOver() {
    long now = System.nanoTime();
    if (now - untilNanos < 0) {
      return false;
    }
    untilNanos = now + NANOS;
    return true;
  }
}
