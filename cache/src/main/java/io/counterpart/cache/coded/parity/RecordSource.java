package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The servers that a read of columns asks for records. Belongs to the shard's event loop. */
@FunctionalInterface
public interface RecordSource {
  /**
   * Gets a record.
   *
   * @param place of the object
   * @param done gets an item to release, or null: then the object is decoded
   */
  void get(Place place, Key key, long keyHash, Consumer<@Nullable ByteBuf> done);
}
