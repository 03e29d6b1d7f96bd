package io.counterpart.cache.coded;

import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.Move;
import io.counterpart.cache.ring.RingChange;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where keys and parity are. Belongs to the shard's event loop. Paper: ECHash §3, §4. */
final class Placement {
  private final int shard;
  private final int k;
  private final Metadata metadata;
  private final StripeIndex stripes;
  private final ObjectIndex objects;
  private Rings rings;
  private @Nullable RingChange change;
  private final ServerTable servers;

  Placement(
      int shard, int k, Metadata metadata, ObjectIndex objects, Rings rings, ServerTable servers) {
    this.shard = shard;
    this.k = k;
    this.metadata = metadata;
    this.stripes = metadata.log().stripes();
    this.objects = objects;
    this.rings = rings;
    this.servers = servers;
  }

  /** Servers change: items are to be where they belong after it. */
  void begin(RingChange next) {
    change = next;
    rings = next.after();
  }

  /** Whether items of a ring may move now. */
  boolean changes(int ring) {
    return change != null && change.rings().contains(ring);
  }

  /** All items are where they belong. */
  void settle() {
    change = null;
  }

  Rings rings() {
    return rings;
  }

  /** Server of a key, by its hash; the new one if it moves. */
  ServerLink dataServer(long keyHash) {
    return link(rings.server(keyHash));
  }

  /** The server that an object may still be on, though it moves; null if it does not. */
  @Nullable ServerLink oldDataServer(long keyHash) {
    return change == null ? null : from(change.moves(keyHash));
  }

  private @Nullable ServerLink from(Optional<Move> move) {
    return move.map(found -> link(found.from())).orElse(null);
  }

  int ring(long keyHash) {
    return rings.ring(keyHash);
  }

  int ring(ServerLink server) {
    return rings.ring(server.id());
  }

  /** Place of a key; null if there is no such object. */
  @Nullable Place find(Key key, long keyHash) {
    return find(key, keyHash, null);
  }

  /** Another place of a key than the one given; null if there is none. */
  @Nullable Place find(Key key, long keyHash, @Nullable Place except) {
    int ring = rings.ring(keyHash);
    for (long candidate = objects.find(keyHash);
        candidate != ObjectIndex.NONE;
        candidate = objects.findNext(keyHash, candidate)) {
      int stripe = ObjectIndex.stripe(candidate);
      DataRings layout = new DataRings(stripes.layout(stripe));
      if (layout.holdsData(ring)) {
        Place place = new Place(stripe, layout.chunk(ring), ObjectIndex.slot(candidate));
        if (!place.equals(except) && Arrays.equals(metadata.key(place), key.bytes())) {
          return place;
        }
      }
    }
    return null;
  }

  /** Key of a parity chunk. */
  Key parityKey(int stripe, int parity) {
    return OwnKeys.parity(shard, stripe, parity);
  }

  /** Server of a parity chunk. */
  ServerLink parityServer(int stripe, int parity) {
    int ring = parityRing(stripe, parity);
    return link(rings.server(ring, KeyHash.of(parityKey(stripe, parity).bytes())));
  }

  /** The server that a parity chunk may still be on, though it moves; null if it does not. */
  @Nullable ServerLink oldParityServer(int stripe, int parity) {
    return change == null
        ? null
        : from(
            change.moves(
                parityRing(stripe, parity), KeyHash.of(parityKey(stripe, parity).bytes())));
  }

  /** Servers of a stripe's parity chunks, in their order. */
  List<ServerLink> parityServers(int stripe) {
    int count = rings.count() - k;
    List<ServerLink> servers = new ArrayList<>(count);
    for (int parity = 0; parity < count; parity++) {
      servers.add(parityServer(stripe, parity));
    }
    return servers;
  }

  private int parityRing(int stripe, int parity) {
    long without = ~stripes.layout(stripe);
    for (int i = 0; i < parity; i++) {
      without &= without - 1;
    }
    return Long.numberOfTrailingZeros(without);
  }

  /** Rings with a server that is not usable. */
  int ringsDown() {
    long down = 0;
    for (ServerLink link : servers.all()) {
      if (!link.isUsable() && rings.contains(link.id())) {
        down |= 1L << ring(link);
      }
    }
    return Long.bitCount(down);
  }

  /**
   * How often servers were lost: what was read while this grew may be there though it is missing.
   */
  long losses() {
    return servers.all().stream().mapToLong(ServerLink::losses).sum();
  }

  private ServerLink link(ServerId server) {
    return Objects.requireNonNull(servers.link(server), server.name());
  }
}
