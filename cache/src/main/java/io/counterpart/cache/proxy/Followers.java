package io.counterpart.cache.proxy;

import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.forward.OwnershipSecret.Greeting;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The followers of this owner, each by its newest connection. Requests still queued on an older
 * connection are never executed. Belongs to the tier's event loop.
 */
final class Followers {
  private final OwnershipSecret secret;
  private final LongSupplier clockMillis;
  private final Map<Long, Follower> newest = new HashMap<>();

  /**
   * @param secret of this ownership, which followers must know
   * @param clockMillis a clock that never goes back
   */
  Followers(OwnershipSecret secret, LongSupplier clockMillis) {
    this.secret = secret;
    this.clockMillis = clockMillis;
  }

  Follower connected() {
    return new Follower(this);
  }

  OwnershipSecret secret() {
    return secret;
  }

  long nowMillis() {
    return clockMillis.getAsLong();
  }

  /** Whether a connection is the newest of its follower; if so, the previous one is ended. */
  boolean admit(Greeting greeting, Follower connection) {
    Follower before = newest.get(greeting.follower());
    if (before != null && before.number() >= greeting.connection()) {
      return false;
    }
    newest.put(greeting.follower(), connection);
    if (before != null) {
      before.end();
    }
    return true;
  }

  void closed(Greeting greeting, Follower connection) {
    newest.remove(greeting.follower(), connection);
  }
}
