package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Durable storage of objects. Every stage completes within a time that the store bounds, on any
 * thread.
 *
 * <p>A write or deletion has no effect if the store has one of the same key with a higher
 * timestamp. After a failed stage the operation may have happened or not, and may still happen.
 */
public interface PersistentStore extends AutoCloseable {
  /** Reads an object; one that has expired may be returned or not. */
  CompletionStage<Optional<PersistentRecord>> read(Key key);

  /** Writes an object; it is durable when the stage completes. */
  CompletionStage<Void> write(Key key, PersistentRecord record);

  /** Deletes an object, durably when the stage completes; also one that does not exist. */
  CompletionStage<Void> delete(Key key, long timestamp);

  /** Closes the store; blocks until it is closed. Not called on the tier's event loop. */
  @Override
  void close();
}
