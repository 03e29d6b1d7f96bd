package io.counterpart.cache.coded.shard;

import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Rebuilds derived indexes from the metadata at start-up. Thread-safe: no state. */
public final class IndexBuild {
  private IndexBuild() {}

  /**
   * Fills the object index, the free slots and the sparse stripes.
   *
   * @return keys with two places in the metadata
   */
  public static List<Key> run(Shard shard) throws IOException {
    List<Key> moving = new ArrayList<>();
    shard
        .metadata()
        .log()
        .chunks()
        .forEach(
            (stripe, chunk, slot, bytes) -> {
              Key key = Key.of(bytes);
              long hash = KeyHash.of(bytes);
              if (shard.placement().find(key, hash) != null) {
                moving.add(key);
              }
              shard.objects().add(hash, stripe, slot);
            });
    StripeIndex stripes = shard.stripes();
    for (int stripe = 0; stripe < stripes.end(); stripe++) {
      if (stripes.state(stripe) != StripeState.FREE) {
        shard.freeSlots().giveAll(stripe);
        shard.sparse().note(stripe);
      }
    }
    return moving;
  }
}
