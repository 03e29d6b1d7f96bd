package io.counterpart.cassandra.engine.flush;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long nothing has spoken against the absorption of a table's sstables. Thread-safe. */
public final class TableQuiet {
  private final KeyspaceSpills keyspace;

  /** When this table's last absorption failed, or was stopped; null if none. */
  private volatile @Nullable Long failedNanos;

  /**
   * @param keyspace the spills of the table's keyspace
   */
  public TableQuiet(KeyspaceSpills keyspace) {
    this.keyspace = keyspace;
  }

  /** An absorption failed, or was stopped: the table rests, and others of the keyspace go on. */
  public void failed() {
    failedNanos = System.nanoTime();
  }

  /** Time since the keyspace's last spill, or since the table's own failure if that is less. */
  public Duration time() {
    Duration quiet = keyspace.quiet();
    Long failure = failedNanos;
    if (failure == null) {
      return quiet;
    }
    Duration own = Duration.ofNanos(System.nanoTime() - failure);
    return own.compareTo(quiet) < 0 ? own : quiet;
  }
}
