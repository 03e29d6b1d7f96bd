package io.counterpart.cache.proxy;

import io.counterpart.cache.forward.Token;
import io.counterpart.cache.forward.Token.Greeting;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The followers of this owner, each by its newest connection. Requests still queued on an older
 * connection are never executed. Belongs to the tier's event loop.
 */
final class Followers {
  private final Token token;
  private final LongSupplier clockMillis;
  private final Map<Long, Follower> newest = new HashMap<>();

  /**
   * @param token of this ownership, which followers must know
   * @param clockMillis a clock that never goes back
   */
  Followers(Token token, LongSupplier clockMillis) {
    this.token = token;
    this.clockMillis = clockMillis;
  }

  Follower connected() {
    return new Follower(this);
  }

  Token token() {
    return token;
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
