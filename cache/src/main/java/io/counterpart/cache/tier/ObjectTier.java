package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import java.util.function.Consumer;

/**
 * The objects of one shard. Operations on a key take effect in the order of the calls.
 *
 * <p>Belongs to the shard's event loop: called there, answers there, each call exactly once,
 * perhaps before it returns. A value that is handed in stays the caller's and is not changed before
 * the answer; one that is handed out is the receiver's, to be released once.
 */
public interface ObjectTier {
  /** Reads an object; an expired one is not found. */
  void get(Key key, Consumer<GetOutcome> done);

  /** Writes an object, as its mode says. */
  void store(StoreCommand command, Consumer<WriteOutcome> done);

  /**
   * Deletes an object.
   *
   * @param cas the version that it must have, 0 for any
   */
  void delete(Key key, long cas, Consumer<WriteOutcome> done);

  /** Adds to, or takes from, an object that is a decimal number of 64 unsigned bits. */
  void arithmetic(ArithmeticCommand command, Consumer<GetOutcome> done);

  /** Gives an object another expiry and answers with it. */
  void touch(Key key, Expiration expiration, Consumer<GetOutcome> done);

  /** Forgets all objects that are there in so many seconds, 0 for now. */
  void flushAll(int delaySeconds, Consumer<WriteOutcome> done);
}
