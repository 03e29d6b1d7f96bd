package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a cache that decodes nothing while servers change: a moving object that is not on its
 * new server is a miss, and its client goes to the database. Belongs to the shard's event loop.
 * Paper: ECHash §5.1, §5.3 (Experiment 3: what cannot be decoded is read from MySQL).
 */
final class MissingReads extends NewServerReads {
  MissingReads(ShardServices services, ClientReads others) {
    super(services.shard(), others);
  }

  @Override
  void loadMoving(Key key, long keyHash, Place place, Consumer<@Nullable Version> done) {
    done.accept(null);
  }
}
