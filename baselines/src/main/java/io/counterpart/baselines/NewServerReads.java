package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads that ask only the new server of a moving object. Belongs to the shard's event loop. Paper:
 * ECHash §2.4 (example 2), §4.3.
 */
abstract class NewServerReads implements ClientReads {
  private final Shard shard;
  private final ClientReads others;

  /**
   * @param others for objects that do not move, and for changes
   */
  NewServerReads(Shard shard, ClientReads others) {
    this.shard = shard;
    this.others = others;
  }

  private boolean isMoving(long keyHash) {
    return shard.placement().oldDataServer(keyHash) != null;
  }

  @Override
  public final void ask(Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    if (isMoving(keyHash)) {
      shard.placement().dataServer(keyHash).get(key, done);
    } else {
      others.ask(key, keyHash, done);
    }
  }

  @Override
  public final void load(Key key, Place place, Consumer<@Nullable Version> done) {
    others.load(key, place, done);
  }

  @Override
  public final void loadToRead(Key key, Place place, Consumer<@Nullable Version> done) {
    long hash = KeyHash.of(key.bytes());
    if (isMoving(hash)) {
      loadMoving(key, hash, place, done);
    } else {
      others.loadToRead(key, place, done);
    }
  }

  /** As {@link #loadToRead}, of a moving object. */
  abstract void loadMoving(Key key, long keyHash, Place place, Consumer<@Nullable Version> done);
}
