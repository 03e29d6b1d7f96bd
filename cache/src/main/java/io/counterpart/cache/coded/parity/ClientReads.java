package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way of clients' requests to an object: to the servers that may have it, else to the others
 * from which it can be decoded. Belongs to the shard's event loop.
 */
public interface ClientReads {
  /**
   * Asks servers for a record. The caller need not hold the key's lock.
   *
   * @param done gets an item to release, verified by nobody; null if they have none
   */
  void ask(Key key, long keyHash, Consumer<@Nullable ByteBuf> done);

  /**
   * Reads or decodes the object in a place for a change of it. The caller holds the key's lock.
   *
   * @param done gets null if the object is lost or servers are down
   */
  void load(Key key, Place place, Consumer<@Nullable Version> done);

  /** As {@link #load}, if nobody changes the object. */
  default void loadToRead(Key key, Place place, Consumer<@Nullable Version> done) {
    load(key, place, done);
  }
}
