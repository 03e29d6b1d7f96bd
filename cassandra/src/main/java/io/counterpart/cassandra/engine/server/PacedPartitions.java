package io.counterpart.cassandra.engine.server;

import com.google.common.collect.Iterators;
import io.counterpart.core.engine.FlushPatience;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Partitions that a flush writes to a server, as long as it may: {@link FlushPatience#mayGoOn}.
 * Time counts from here on.
 *
 * @param <T> a partition
 */
final class PacedPartitions<T> implements Iterable<T> {
  private final Iterable<T> partitions;
  private final String table;
  private final DoubleSupplier memoryUsed;
  private final LongSupplier nanos;
  private final long begin;

  /**
   * @param table for messages
   * @param memoryUsed share of the memtables' memory in use
   * @param nanos a clock
   */
  PacedPartitions(
      Iterable<T> partitions, String table, DoubleSupplier memoryUsed, LongSupplier nanos) {
    this.partitions = partitions;
    this.table = table;
    this.memoryUsed = memoryUsed;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
  }

  /** Fails with a {@link SlowServerException} before a partition for which there is no time. */
  @Override
  public Iterator<T> iterator() {
    return Iterators.transform(partitions.iterator(), this::inTime);
  }

  private T inTime(T partition) {
    Duration taken = Duration.ofNanos(nanos.getAsLong() - begin);
    if (!FlushPatience.mayGoOn(memoryUsed.getAsDouble(), taken)) {
      throw new SlowServerException(
          "the server has not taken a flush of %s in %d ms, and the memory is needed"
              .formatted(table, taken.toMillis()));
    }
    return partition;
  }
}
