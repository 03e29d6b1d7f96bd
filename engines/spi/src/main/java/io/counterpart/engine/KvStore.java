package io.counterpart.engine;

/**
 * A durable, ordered key-value store.
 *
 * <p>Keys have 1 to {@value #MOST_KEY_BYTES} bytes and are ordered as unsigned bytes, a prefix
 * first. Values have 0 to 2³¹−9 bytes. Thread-safe: any number of readers beside one writer;
 * further writers wait.
 *
 * <p>A write that has returned survives the process and the machine, unless the engine is volatile
 * ({@link KvEngine#isVolatile}). A write that failed, or that was cut off by a kill, has either
 * happened as a whole or not at all.
 *
 * <p>After {@link #close} every call throws {@link StoreClosedException}; other failures are {@link
 * StoreException}s, and {@link StoreAwayException}s if they may pass by themselves.
 */
public interface KvStore extends AutoCloseable {

  int MOST_KEY_BYTES = 1 << 25;

  /**
   * The store as it is now, whatever is written later. Cheap, but keeps the engine from reusing
   * space, so close it soon. Any thread may use or close it, one at a time.
   */
  KvSnapshot snapshot();

  /**
   * A {@link #snapshot} for who reads in order to write. Where the store is on a server that is
   * away, reads wait for it as long as {@link #write} does; those of other snapshots fail soon, and
   * with a {@link StoreBusyException} if too many wait for the server.
   */
  default KvSnapshot writersSnapshot() {
    return snapshot();
  }

  /** Applies a batch atomically; returns when it is durable. */
  void write(KvBatch batch);

  /**
   * Returns when every write that failed before has happened, or never will: on its way to a server
   * it may be late. Waits for a server that is away as long as {@link #write} does.
   *
   * @throws StoreAwayException if the server does not say
   */
  default void settle() {}

  /**
   * Removes every entry, atomically and durably. So does a batch that clears. An engine may cut off
   * older snapshots then: they fail with a {@link StoreException}.
   */
  default void truncate() {
    write(KvBatch.clearing());
  }

  /**
   * Whether so many bytes more may be written. A store whose memory is bounded says no in time: it
   * takes what is written nevertheless, since an entry that it gave up would be lost.
   */
  default boolean hasRoomFor(long bytes) {
    return true;
  }

  /**
   * Asks for something small. Fails as reads of a {@link #snapshot} do, but never with a {@link
   * StoreBusyException}: other readers do not count.
   *
   * @throws StoreAwayException if the server does not answer
   */
  default void check() {
    try (KvSnapshot now = snapshot()) {
      now.get(new byte[] {0});
    }
  }

  StoreStats stats();

  /**
   * Whether the store's place may be dropped after {@link #close}: no snapshot is open that would
   * miss it. By default true, for engines whose open files outlive their deletion.
   */
  default boolean isReleased() {
    return true;
  }

  /**
   * Refuses what comes later. Snapshots that are open stay readable, and the store's files are
   * released with the last of them. A second call does nothing.
   */
  @Override
  void close();
}
