package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.RecordSource;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of chunks while servers change: an object that has yet to leave its chunk is looked
 * for on its old server first, because nearly all are there. Belongs to the shard's event loop.
 */
record ChunkRecords(Shard shard) implements RecordSource {
  @Override
  public void get(Place place, Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    ServerLink old = shard.placement().oldDataServer(keyHash);
    if (old == null || shard.placement().isHome(place, keyHash)) {
      shard.items().getRecord(key, keyHash, done);
      return;
    }
    old.get(
        key,
        item -> {
          if (item == null) {
            shard.placement().dataServer(keyHash).get(key, done);
          } else {
            done.accept(item);
          }
        });
  }

  /** The same without the objects of one chunk, which are decoded although they may be there. */
  RecordSource without(int chunk) {
    return (place, key, keyHash, done) -> {
      if (place.chunk() == chunk) {
        done.accept(null);
      } else {
        get(place, key, keyHash, done);
      }
    };
  }
}
