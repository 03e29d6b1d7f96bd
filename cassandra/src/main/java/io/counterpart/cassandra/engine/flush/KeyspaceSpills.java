package io.counterpart.cassandra.engine.flush;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * The spills of a keyspace's tables. Cassandra flushes all tables of a keyspace one after another,
 * and reads their sstables when the last one is done. Thread-safe.
 */
public final class KeyspaceSpills {
  private int running;
  private long quietSince = System.nanoTime();

  public synchronized void begin() {
    running++;
  }

  public synchronized void end() {
    running--;
    quietSince = System.nanoTime();
  }

  /** Somebody is about to read sstables, and needs no flush for it. */
  public synchronized void touch() {
    quietSince = System.nanoTime();
  }

  /**
   * The same of who waits for flushes of other tables first: Cassandra ends a node's flushes in
   * their order.
   *
   * @param flushes ends when those have ended that the node has begun by now
   */
  public void touch(Supplier<? extends Future<?>> flushes) {
    begin();
    try {
      flushes.get().addListener(this::end);
    } catch (RejectedExecutionException e) {
      // the node is drained: nobody waits for a flush any more
      end();
    }
  }

  public synchronized int running() {
    return running;
  }

  /** Time since the last one has ended, or since the start. */
  public synchronized Duration quiet() {
    return Duration.ofNanos(System.nanoTime() - quietSince);
  }
}
