package io.counterpart.cassandra.consistency;

import org.apache.cassandra.utils.Clock;

/**
 * A node's clock, for tests on real clusters: its time of day can be stepped, as a wrong time
 * server does. Cassandra makes it by the property {@code cassandra.clock}.
 */
public final class SteppedClock implements Clock {
  private static volatile long stepMillis;

  /** From now on the time of day is so far from the true one. */
  static void step(long millis) {
    stepMillis = millis;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return System.currentTimeMillis() + stepMillis;
  }
}
