package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.StoreException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.cassandra.db.commitlog.CommitLogPosition;

/**
 * What a store says about itself, in its first entry.
 *
 * <pre>
 * state := 0x01 segment:i64 position:i32 partitions:i64 minTimestamp:i64 minDeletion:i64
 *          truncatedAt:i64 0x00 host:u128 crc32:i32
 * </pre>
 *
 * @param absorbed every mutation before this position of the commit log is in the store or in
 *     sstables
 * @param partitions partitions with entries
 * @param minTimestamp at most the lowest timestamp in the store, microseconds
 * @param minLocalDeletionTime at most the lowest local deletion time in the store, seconds
 * @param truncatedAt the last truncation that the store knows of, milliseconds since 1970
 * @param host id of the node whose commit log the position is in
 */
public record StoredState(
    CommitLogPosition absorbed,
    long partitions,
    long minTimestamp,
    long minLocalDeletionTime,
    long truncatedAt,
    UUID host) {

  private static final byte FORMAT = 1;
  private static final int BYTES = 1 + 8 + 4 + 4 * 8 + 1 + 16 + 4;

  /** Of a store that has never absorbed anything. */
  static StoredState empty(UUID host) {
    return new StoredState(
        CommitLogPosition.NONE, 0, Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, host);
  }

  /** The same on another node, in whose commit log the position means nothing. */
  StoredState on(UUID node) {
    return node.equals(host)
        ? this
        : new StoredState(
            CommitLogPosition.NONE,
            partitions,
            minTimestamp,
            minLocalDeletionTime,
            truncatedAt,
            node);
  }

  boolean isEmpty() {
    return partitions == 0;
  }

  /** The state of an empty store of the same table. */
  StoredState withoutPartitions() {
    return new StoredState(absorbed, 0, Long.MAX_VALUE, Long.MAX_VALUE, truncatedAt, host);
  }

  /** The state after the store has been emptied by a truncation. */
  StoredState truncated(long at) {
    return new StoredState(
        absorbed, 0, Long.MAX_VALUE, Long.MAX_VALUE, Math.max(at, truncatedAt), host);
  }

  StoredState withPartitions(long count) {
    return new StoredState(absorbed, count, minTimestamp, minLocalDeletionTime, truncatedAt, host);
  }

  /** Two stores together. */
  public StoredState plus(StoredState other) {
    return absorbedUpTo(other.absorbed)
        .withPartitions(partitions + other.partitions)
        .including(other.minTimestamp, other.minLocalDeletionTime);
  }

  /** What is true of a store in one of two states. */
  StoredState or(StoredState other) {
    return withPartitions(Math.max(partitions, other.partitions))
        .including(other.minTimestamp, other.minLocalDeletionTime);
  }

  StoredState absorbedUpTo(CommitLogPosition position) {
    return position.compareTo(absorbed) <= 0
        ? this
        : new StoredState(
            position, partitions, minTimestamp, minLocalDeletionTime, truncatedAt, host);
  }

  StoredState including(long timestamp, long localDeletionTime) {
    return new StoredState(
        absorbed,
        partitions,
        Math.min(minTimestamp, timestamp),
        Math.min(minLocalDeletionTime, localDeletionTime),
        truncatedAt,
        host);
  }

  byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(BYTES)
            .put(FORMAT)
            .putLong(absorbed.segmentId)
            .putInt(absorbed.position)
            .putLong(partitions)
            .putLong(minTimestamp)
            .putLong(minLocalDeletionTime)
            .putLong(truncatedAt)
            .put((byte) 0)
            .putLong(host.getMostSignificantBits())
            .putLong(host.getLeastSignificantBits());
    return out.putInt(crc(out.array())).array();
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, BYTES - Integer.BYTES);
    return (int) crc.getValue();
  }

  /**
   * @throws StoreException if the bytes are no state of this format
   */
  static StoredState decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length != BYTES
        || in.getInt(BYTES - Integer.BYTES) != crc(bytes)
        || in.get() != FORMAT) {
      throw new StoreException("damaged state of " + bytes.length + " bytes, not " + BYTES);
    }
    CommitLogPosition absorbed = new CommitLogPosition(in.getLong(), in.getInt());
    long partitions = in.getLong();
    long minTimestamp = in.getLong();
    long minLocalDeletionTime = in.getLong();
    long truncatedAt = in.getLong();
    // reserved
    in.get();
    UUID host = new UUID(in.getLong(), in.getLong());
    return new StoredState(
        absorbed, partitions, minTimestamp, minLocalDeletionTime, truncatedAt, host);
  }
}
