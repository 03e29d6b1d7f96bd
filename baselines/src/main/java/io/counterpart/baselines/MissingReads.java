package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a cache that decodes nothing while servers change: a moving object that is not on its
 * new server is a miss, and its client goes to the database. Belongs to the shard's event loop.
 * Paper: ECHash §5.1, §5.3 (Experiment 3: what cannot be decoded is read from MySQL).
 */
final class MissingReads implements ClientReads {
  private final Shard shard;
  private final ClientReads others;

  /**
   * @param others for objects that do not move, and for changes
   */
  MissingReads(ShardServices services, ClientReads others) {
    this.shard = services.shard();
    this.others = others;
  }

  private boolean isMoving(long keyHash) {
    return shard.placement().oldDataServer(keyHash) != null;
  }

  @Override
  public void ask(Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    if (isMoving(keyHash)) {
      shard.placement().dataServer(keyHash).get(key, done);
    } else {
      others.ask(key, keyHash, done);
    }
  }

  @Override
  public void load(Key key, Place place, Consumer<@Nullable Version> done) {
    others.load(key, place, done);
  }

  @Override
  public void loadToRead(Key key, Place place, Consumer<@Nullable Version> done) {
    if (isMoving(KeyHash.of(key.bytes()))) {
      done.accept(null);
    } else {
      others.loadToRead(key, place, done);
    }
  }
}
