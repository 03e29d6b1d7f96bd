package io.counterpart.cache.coded.server;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The servers of keys and parity, now and before the change of servers that is under way. Belongs
 * to the shard's event loop. Paper: ECHash §3, §4.
 */
public final class Placement {
  private final int parityCount;
  private final Metadata metadata;
  private final StripeIndex stripes;
  private final ObjectIndex objects;
  private final ServerTable servers;
  private ServerMap now;
  private @Nullable ServerMap before;

  /**
   * @param parityCount parity chunks of a stripe
   * @param now servers, those after the change under way if there is one
   */
  public Placement(
      int parityCount, Metadata metadata, ObjectIndex objects, ServerMap now, ServerTable servers) {
    this.parityCount = parityCount;
    this.metadata = metadata;
    this.stripes = metadata.log().stripes();
    this.objects = objects;
    this.now = now;
    this.servers = servers;
  }

  /** Sequence with which a stripe was opened; 0 if that is not known. */
  long begunAt(int stripe) {
    return metadata.log().chunks().begunAt(stripe);
  }

  /** Begins a change of servers: items are to move to the servers of {@code next}. */
  public void begin(ServerMap next) {
    begin(now, next);
  }

  /** Begins a change of servers that an earlier process had begun. */
  public void begin(ServerMap from, ServerMap next) {
    before = from;
    now = next;
  }

  /** Whether servers change now. */
  boolean isChanging() {
    return before != null;
  }

  /** Whether a server leaves with the change under way, and so may still have items. */
  public boolean isLeaving(ServerId server) {
    return before != null && before.contains(server) && !now.contains(server);
  }

  /** Ends the change of servers: all items are on their servers. */
  public void settle() {
    before = null;
  }

  /** The servers; those after the change if there is one. */
  public ServerMap map() {
    return now;
  }

  /** Server of a key, by its hash; the new one if it moves. */
  public ServerLink dataServer(long keyHash) {
    return link(now.server(keyHash));
  }

  /** The server that a moving object may still be on; null if it does not move. */
  public @Nullable ServerLink oldDataServer(long keyHash) {
    return before == null ? null : other(before.server(keyHash), now.server(keyHash));
  }

  private @Nullable ServerLink other(ServerId from, ServerId to) {
    return from.equals(to) ? null : link(from);
  }

  /** Arcs whose keys move now. */
  public List<MovingArc> movingArcs() {
    return before == null ? List.of() : now.movingArcs(before);
  }

  /** Ring of a server before the change of servers under way. */
  public int oldRing(ServerId server) {
    return Objects.requireNonNull(before).ring(server);
  }

  public int ring(long keyHash) {
    return now.ring(keyHash);
  }

  public int ring(ServerLink server) {
    return now.ring(server.id());
  }

  /** Rings for the data of a new stripe; see {@link ServerMap#layout}. */
  public long layout(int ring, IntUnaryOperator freeSlots) {
    return now.layout(ring, freeSlots);
  }

  /** Whether a place is in the chunk that a new object of the key gets. */
  public boolean isHome(Place place, long keyHash) {
    return layout(place.stripe()).ring(place.chunk()) == now.ring(keyHash);
  }

  /** Place of a key; null if there is no such object. */
  public @Nullable Place find(Key key, long keyHash) {
    return find(key, keyHash, null);
  }

  /** Another place of a key than the one given; null if there is none. */
  public @Nullable Place find(Key key, long keyHash, @Nullable Place except) {
    for (long candidate = objects.find(keyHash);
        candidate != ObjectIndex.NONE;
        candidate = objects.findNext(keyHash, candidate)) {
      Place place = placeOf(candidate, key, now.rings(keyHash), except);
      if (place != null) {
        return place;
      }
    }
    return null;
  }

  /** The key's place in an index entry's column, in one of these rings; null if it has none. */
  private @Nullable Place placeOf(long candidate, Key key, long rings, @Nullable Place except) {
    int stripe = ObjectIndex.stripe(candidate);
    DataRings layout = layout(stripe);
    for (long rest = rings & layout.mask(); rest != 0; rest &= rest - 1) {
      int chunk = layout.chunk(Long.numberOfTrailingZeros(rest));
      Place place = new Place(stripe, chunk, ObjectIndex.slot(candidate));
      if (!place.equals(except) && Arrays.equals(metadata.key(place), key.bytes())) {
        return place;
      }
    }
    return null;
  }

  private DataRings layout(int stripe) {
    return new DataRings(stripes.layout(stripe));
  }

  /** Key of a parity chunk. */
  Key parityKey(int stripe, int parity) {
    return OwnKeys.parity(stripe, parity);
  }

  /** Server of a parity chunk. */
  public ServerLink parityServer(int stripe, int parity) {
    return link(now.parityServer(stripe, stripes.layout(stripe), parity));
  }

  /** The server that a moving parity chunk may still be on; null if it does not move. */
  public @Nullable ServerLink oldParityServer(int stripe, int parity) {
    if (before == null) {
      return null;
    }
    long layout = stripes.layout(stripe);
    return other(
        before.parityServer(stripe, layout, parity), now.parityServer(stripe, layout, parity));
  }

  /** Servers of a stripe's parity chunks, in their order. */
  public List<ServerLink> parityServers(int stripe) {
    List<ServerLink> found = new ArrayList<>(parityCount);
    for (int parity = 0; parity < parityCount; parity++) {
      found.add(parityServer(stripe, parity));
    }
    return found;
  }

  /** Whether a server may have data or parity of a stripe. */
  public boolean involves(int stripe, ServerLink server) {
    return stripes.state(stripe) != StripeState.FREE
        && now.contains(server.id())
        && (layout(stripe).holdsData(ring(server)) || parityServers(stripe).contains(server));
  }

  /** Number of rings with an unusable server: as many chunks of a stripe may be missing. */
  public int ringsDown() {
    return ringsWith(link -> !link.isUsable());
  }

  /** Number of rings with a server that fulfils a condition. */
  public int ringsWith(Predicate<ServerLink> isSuch) {
    return ringsHoldingItems(link -> isSuch.test(link) && now.contains(link.id()));
  }

  /**
   * As {@link #ringsWith}, servers that leave included: they have items until the change under way
   * has ended.
   */
  public int ringsHoldingItems(Predicate<ServerLink> isSuch) {
    long rings = 0;
    for (ServerLink link : servers.all()) {
      if (isSuch.test(link)) {
        if (now.contains(link.id())) {
          rings |= 1L << ring(link);
        }
        if (isLeaving(link.id())) {
          rings |= 1L << oldRing(link.id());
        }
      }
    }
    return Long.bitCount(rings);
  }

  /**
   * Number of rings with an unusable server, those that leave included, unless they would be
   * emptied when they are back.
   */
  public int ringsAway() {
    return ringsHoldingItems(link -> !link.isUsable() && !(link.isStale() && isLeaving(link.id())));
  }

  /** Whether a server is out of reach that may come back with its items. */
  public boolean isAnyAway() {
    return ringsHoldingItems(ServerLink::isAway) > 0;
  }

  /** Names of the servers that are not usable and have items, those that leave included. */
  public List<String> unusable() {
    return servers.all().stream()
        .filter(link -> !link.isUsable())
        .map(ServerLink::id)
        .filter(id -> now.contains(id) || isLeaving(id))
        .map(ServerId::name)
        .toList();
  }

  /** Whether some server has more journal bytes than it should. */
  public boolean isJournalToBeFolded() {
    for (ServerLink link : servers.all()) {
      if (link.memory().isToBeFolded()) {
        return true;
      }
    }
    return false;
  }

  /** Number of losses of servers. If it grows during a read, missing items may still exist. */
  public long losses() {
    return servers.losses();
  }

  private ServerLink link(ServerId server) {
    return Objects.requireNonNull(servers.link(server), server.name());
  }
}
