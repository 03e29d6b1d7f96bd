package io.counterpart.cassandra.engine.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.commitlog.CommitLogPosition;

/**
 * What a store says about itself, in its first entry.
 *
 * <pre>state := 0x01 segment:i64 position:i32 partitions:i64 minTimestamp:i64 minDeletion:i64</pre>
 *
 * @param absorbed every mutation before this position of the commit log is in the store or in
 *     sstables
 * @param partitions partitions with entries
 * @param minTimestamp at most the lowest timestamp in the store, microseconds
 * @param minLocalDeletionTime at most the lowest local deletion time in the store, seconds
 */
public record StoredState(
    CommitLogPosition absorbed, long partitions, long minTimestamp, long minLocalDeletionTime) {

  private static final byte FORMAT = 1;
  private static final int BYTES = 1 + 8 + 4 + 3 * 8;

  /** Of a store that has never absorbed anything. */
  static final StoredState EMPTY =
      new StoredState(CommitLogPosition.NONE, 0, Long.MAX_VALUE, Long.MAX_VALUE);

  boolean isEmpty() {
    return partitions == 0;
  }

  /** The state after the store has been cleared. */
  StoredState cleared() {
    return new StoredState(absorbed, 0, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  StoredState withPartitions(long count) {
    return new StoredState(absorbed, count, minTimestamp, minLocalDeletionTime);
  }

  StoredState absorbedUpTo(CommitLogPosition position) {
    return position.compareTo(absorbed) <= 0
        ? this
        : new StoredState(position, partitions, minTimestamp, minLocalDeletionTime);
  }

  StoredState including(long timestamp, long localDeletionTime) {
    return new StoredState(
        absorbed,
        partitions,
        Math.min(minTimestamp, timestamp),
        Math.min(minLocalDeletionTime, localDeletionTime));
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(FORMAT)
        .putLong(absorbed.segmentId)
        .putInt(absorbed.position)
        .putLong(partitions)
        .putLong(minTimestamp)
        .putLong(minLocalDeletionTime)
        .array();
  }

  /**
   * @throws IllegalArgumentException if the bytes are no state of this format
   */
  static StoredState decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      byte format = in.get();
      if (format != FORMAT) {
        throw new IllegalArgumentException("a state of format " + format + ", not " + FORMAT);
      }
      return new StoredState(
          new CommitLogPosition(in.getLong(), in.getInt()),
          in.getLong(),
          in.getLong(),
          in.getLong());
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a state of " + bytes.length + " bytes", e);
    }
  }
}
