package io.counterpart.core.engine;

import java.time.Duration;

/**
 * How long a flush stays with an engine's server that is away or slow, where it could go to
 * sstables. Cassandra ends flushes in their order, with a few threads, and changes of the schema,
 * {@code nodetool flush} and the release of memory wait for flushes. So one that waits would hold
 * up all tables of the node.
 */
public final class FlushPatience {
  /** Share of the memtables' memory from which a flush may not take its time. */
  public static final double MOST_MEMORY = 0.75;

  /** What a flush may take however short memory is: a server that answers is given this long. */
  public static final Duration LEAST_TIME = Duration.ofSeconds(1);

  private FlushPatience() {}

  /**
   * Whether a flush may go on waiting for a server that is away: not once a second one has begun.
   * Where memory is short Cassandra begins one by itself, unless the first has nearly all of it.
   *
   * @param flushes under way on the node, those that wait included
   * @param memoryUsed share of the memtables' memory in use, 0 to 1
   */
  public static boolean mayWait(long flushes, double memoryUsed) {
    return flushes <= 1 && memoryUsed < MOST_MEMORY;
  }

  /**
   * Whether a flush may go on writing to a server that answers. Else writes to all tables wait, as
   * soon as no memory is left.
   *
   * @param memoryUsed share of the memtables' memory in use, 0 to 1
   * @param taken since the flush began
   */
  public static boolean mayGoOn(double memoryUsed, Duration taken) {
    return memoryUsed < MOST_MEMORY || taken.compareTo(LEAST_TIME) < 0;
  }
}
