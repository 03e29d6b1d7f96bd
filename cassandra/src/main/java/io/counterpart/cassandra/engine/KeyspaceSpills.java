package io.counterpart.cassandra.engine;

import java.time.Duration;

/**
 * The spills of a keyspace's tables. Cassandra flushes all tables of a keyspace one after another,
 * and reads their sstables when the last one is done. Thread-safe.
 */
final class KeyspaceSpills {
  private int running;
  private long quietSince = System.nanoTime();

  synchronized void begin() {
    running++;
  }

  synchronized void end() {
    running--;
    quietSince = System.nanoTime();
  }

  /** Somebody is about to read sstables, and needs no flush for it. */
  synchronized void touch() {
    quietSince = System.nanoTime();
  }

  synchronized int running() {
    return running;
  }

  /** Time since the last one has ended, or since the start. */
  synchronized Duration quiet() {
    return Duration.ofNanos(System.nanoTime() - quietSince);
  }
}
