package io.counterpart.cassandra.locator;

import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;

/**
 * Cassandra finds replicas by a copy of its ring that it makes when there is none. A thread that
 * makes one while gossip changes the ring may put it in place after the change, where it stays
 * until the next one: the node then writes to, and reads from, replicas of the former ring, and
 * what it writes waits for a cleanup on nodes that do not own it.
 */
final class CachedRing {
  /** The one look of this process, which begins when it is first asked for. */
  private static final class OfThisProcess {
    static final Runnable LOOK = looking();

    private static Runnable looking() {
      Runnable look = () -> renew(StorageService.instance.getTokenMetadata());
      SelectionClock.start(look, "Replicas may be found by a former ring");
      return look;
    }
  }

  private CachedRing() {}

  /** Has this node's copy looked at now, and every tenth of a second from the first call on. */
  static void watch() {
    OfThisProcess.LOOK.run();
  }

  /** Lets go of a copy that is older than the ring. Changes nothing else; from any thread. */
  static void renew(TokenMetadata ring) {
    long version = ring.getRingVersion(); // first: a copy that is made from now on has it at least
    if (ring.cachedOnlyTokenMap().getRingVersion() < version) {
      ring.invalidateCachedRings();
    }
  }
}
