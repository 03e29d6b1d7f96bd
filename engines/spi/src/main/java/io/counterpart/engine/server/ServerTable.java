package io.counterpart.engine.server;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries on a server, in the order of unsigned bytes, without snapshots. Each call borrows a
 * connection and gives it back.
 *
 * <p>Thread-safe; of {@link #write} there is one at a time. A failure is a {@link StoreException}
 * that names the server, and a {@link StoreAwayException} if it may pass; a call that takes too
 * long fails too, so that no caller waits for ever.
 */
public interface ServerTable extends AutoCloseable {

  /** One entry. Owns its arrays. */
  record Entry(byte[] key, byte[] value) {}

  /**
   * The first entries of a range.
   *
   * @param isLast whether the range has no more
   */
  record Page(List<Entry> entries, boolean isLast) {}

  /**
   * The same table for a caller that writes, and would fail as a whole if a read failed: reads wait
   * for a server that is away as long as writes do. To be closed with the first one alone.
   */
  default ServerTable patient() {
    return this;
  }

  /** The value of a key; null if there is none. */
  byte @Nullable [] get(byte[] key);

  /** The values of keys in their order, null for those that there are not. */
  List<byte @Nullable []> getAll(List<byte[]> keys);

  /**
   * The first entries of a range, in the range's direction; none only if it is the last page.
   *
   * @param most entries; fewer come if they are large
   */
  Page page(KvRange range, int most);

  /**
   * Applies a batch atomically; returns when it is durable. A write that failed may still happen,
   * but not once a later one has returned: the server must order them, by a number that it compares
   * or by a lock on an entry that all batches of the store have.
   */
  void write(KvBatch batch);

  /**
   * Returns when every write that failed before has happened, or never will. Not beside a write;
   * waits for a server that is away as long as writes do.
   */
  void settle();

  /**
   * Asks for something small, as no reader: it is not refused since readers are too many.
   *
   * @throws StoreAwayException if the server does not answer
   */
  void check();

  StoreStats stats();

  /** A second call does nothing. */
  @Override
  void close();
}
