package io.counterpart.cache.coded;

import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where keys and parity are. Belongs to the shard's event loop. Paper: ECHash §3, §4. */
final class Placement {
  private final int shard;
  private final int k;
  private final Metadata metadata;
  private final StripeIndex stripes;
  private final ObjectIndex objects;
  private final Rings rings;
  private final Map<ServerId, ServerLink> links;

  Placement(
      int shard,
      int k,
      Metadata metadata,
      ObjectIndex objects,
      Rings rings,
      Map<ServerId, ServerLink> links) {
    this.shard = shard;
    this.k = k;
    this.metadata = metadata;
    this.stripes = metadata.log().stripes();
    this.objects = objects;
    this.rings = rings;
    this.links = links;
  }

  /** Server of a key, by its hash. */
  ServerLink dataServer(long keyHash) {
    return link(rings.server(keyHash));
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
    return (int)
        links.values().stream().filter(link -> !link.isUsable()).map(this::ring).distinct().count();
  }

  private ServerLink link(ServerId server) {
    return Objects.requireNonNull(links.get(server), server.name());
  }
}
