package io.counterpart.cassandra.cold;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Whether this node is its cluster's only one, so that no other has copies, however many a keyspace
 * asks for. One that has just started may not have heard of the others yet: it has to know of none
 * for a while. Thread-safe.
 */
final class LoneNode {
  private final BooleanSupplier knowsNoOther;
  private final long settlingNanos;
  private final LongSupplier nanoTime;

  /** Since when none is known; guarded by this. */
  private OptionalLong since = OptionalLong.empty();

  LoneNode(BooleanSupplier knowsNoOther, long settlingNanos, LongSupplier nanoTime) {
    this.knowsNoOther = knowsNoOther;
    this.settlingNanos = settlingNanos;
    this.nanoTime = nanoTime;
  }

  /** This one, which asks for as long as a joining node listens to the others. */
  static LoneNode here() {
    return new LoneNode(
        LoneNode::hasNoOther,
        TimeUnit.MILLISECONDS.toNanos(StorageService.RING_DELAY_MILLIS),
        System::nanoTime);
  }

  /** Whether it is certain; to be asked repeatedly. */
  synchronized boolean isCertain() {
    long now = nanoTime.getAsLong();
    if (!knowsNoOther.getAsBoolean()) {
      since = OptionalLong.empty();
      return false;
    }
    since = OptionalLong.of(since.orElse(now));
    return now - since.getAsLong() >= settlingNanos;
  }

  /** Neither in the configuration, nor by gossip, nor in the ring, nor from before the start. */
  private static boolean hasNoOther() {
    Set<InetAddressAndPort> self = Set.of(FBUtilities.getBroadcastAddressAndPort());
    return self.containsAll(DatabaseDescriptor.getSeeds())
        && self.containsAll(Gossiper.instance.getEndpoints())
        && self.containsAll(StorageService.instance.getTokenMetadata().getAllEndpoints())
        && QueryProcessor.executeInternal("SELECT peer FROM system.peers_v2").isEmpty();
  }
}
