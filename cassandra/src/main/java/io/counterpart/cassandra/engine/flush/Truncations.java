package io.counterpart.cassandra.engine.flush;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The truncations of a table, for those who must not outlast one: what they have read before it
 * must not come back. Thread-safe.
 */
public final class Truncations {
  private final AtomicLong count = new AtomicLong();
  private int running;

  /** Changes whenever a truncation begins or ends. Waits for nobody. */
  public long count() {
    return count.get();
  }

  /** A truncation is about to empty stores: waits for who is in {@link #unless}. */
  public synchronized void begin() {
    running++;
    count.incrementAndGet();
  }

  /** It has emptied them, or has failed. */
  public synchronized void end() {
    running--;
    count.incrementAndGet();
  }

  /**
   * Does what must not come after a truncation, which waits for it.
   *
   * @param counted before what the action brings was read
   * @return false if the table is truncated, or was since: nothing was done
   */
  public synchronized boolean unless(long counted, Runnable action) {
    if (running > 0 || count.get() != counted) {
      return false;
    }
    action.run();
    return true;
  }
}
