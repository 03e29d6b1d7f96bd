package io.counterpart.baselines;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Servers in one hash ring. In layouts of stripes each server counts as a ring of its own: a chunk
 * belongs to a server. A server keeps its number. The number of a removed server may go to a new
 * one, which then gets the free slots of stripes whose layout has that number. Immutable. Paper:
 * ECHash §5.1 (ccMemcached); the choice of parity servers is ours.
 */
final class ServersInOneRing implements ServerMap {
  /** Most servers: the bits of a layout. */
  static final int MAX_SERVERS = 64;

  private static final int KEPT_LOOKUPS = 1 << 12;

  // as in the product's rings
  private static final int VIRTUAL_NODES = 128;
  private static final long SEED = 0;

  private final CodeShape code;
  private final long version;
  private final HashRing ring;
  private final ClockwiseServers clockwise;

  /** The numbers before the last change; null in the first map. */
  private final @Nullable Numbers former;

  /** Servers by number; null where there is none. */
  private final @Nullable ServerId[] servers;

  private final Map<ServerId, Integer> numbers = new HashMap<>();

  /** The last look-ups, by the lower bits of the stripe: a look-up goes around the ring. */
  private final @Nullable ParityServers[] parityServers = new ParityServers[KEPT_LOOKUPS];

  private record ParityServers(int stripe, long layout, List<ServerId> servers) {}

  /** The servers of keys by number. */
  private record Numbers(HashRing ring, Map<ServerId, Integer> numbers) {
    int of(long keyHash) {
      return Objects.requireNonNull(numbers.get(ring.server(keyHash)));
    }
  }

  private ServersInOneRing(
      CodeShape code,
      long version,
      HashRing ring,
      @Nullable ServerId[] servers,
      @Nullable Numbers former) {
    this.code = code;
    this.version = version;
    this.ring = ring;
    this.clockwise = new ClockwiseServers(ring.servers(), VIRTUAL_NODES, SEED);
    this.servers = servers;
    this.former = former;
    for (int number = 0; number < MAX_SERVERS; number++) {
      ServerId server = servers[number];
      if (server != null) {
        numbers.put(server, number);
      }
    }
  }

  /**
   * A new map.
   *
   * @param servers n to {@link #MAX_SERVERS}
   * @throws IllegalArgumentException if there are more
   */
  static ServersInOneRing of(CodeShape code, List<ServerId> servers) {
    HashRing ring = HashRing.of(servers, VIRTUAL_NODES, SEED);
    return new ServersInOneRing(
        code, 1, ring, placed(new ServerId[MAX_SERVERS], ring.servers()), null);
  }

  /** The servers alone, without their numbers: nobody reads them. */
  @Override
  public Topology topology(int step) {
    return new Topology(version, List.of(servers()), step);
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public List<ServerId> servers() {
    return ring.servers();
  }

  @Override
  public boolean contains(ServerId server) {
    return numbers.containsKey(server);
  }

  @Override
  public int ringCount() {
    return MAX_SERVERS;
  }

  @Override
  public int ring(ServerId server) {
    Integer number = numbers.get(server);
    if (number == null) {
      throw new IllegalArgumentException("server " + server + ", legal: one of " + servers());
    }
    return number;
  }

  @Override
  public int ring(long keyHash) {
    return ring(ring.server(keyHash));
  }

  /** The ring of the key, and the one before the last change: the object may not have moved yet. */
  @Override
  public long rings(long keyHash) {
    long rings = 1L << ring(keyHash);
    return former == null ? rings : rings | 1L << former.of(keyHash);
  }

  @Override
  public ServerId server(long keyHash) {
    return ring.server(keyHash);
  }

  /**
   * The first server clockwise from the parity chunk's own position that holds neither data nor an
   * earlier parity chunk. So a change of servers moves few chunks.
   */
  @Override
  public ServerId parityServer(int stripe, long layout, int parity) {
    ParityServers known = parityServers[stripe & parityServers.length - 1];
    if (known == null || known.stripe != stripe || known.layout != layout) {
      known = new ParityServers(stripe, layout, parityServers(stripe, layout));
      parityServers[stripe & parityServers.length - 1] = known;
    }
    return known.servers.get(parity);
  }

  private List<ServerId> parityServers(int stripe, long layout) {
    List<ServerId> found = new ArrayList<>();
    long taken = layout;
    for (int i = 0; i < code.parityCount(); i++) {
      ServerId server = firstWithout(taken, stripe, i);
      taken |= 1L << ring(server);
      found.add(server);
    }
    return found;
  }

  private ServerId firstWithout(long taken, int stripe, int parity) {
    long position = KeyHash.of(OwnKeys.parity(stripe, parity).bytes());
    return clockwise.first(position, server -> (taken >>> ring(server) & 1) == 0);
  }

  /** The ring and the servers with the fewest free slots, so that few stripes are open. */
  @Override
  public long layout(int ring, IntUnaryOperator freeSlots) {
    long layout = 1L << ring;
    int[] others =
        IntStream.range(1, MAX_SERVERS)
            .map(i -> (ring + i) % MAX_SERVERS)
            .filter(number -> servers[number] != null)
            .boxed()
            .sorted(Comparator.comparingInt(freeSlots::applyAsInt))
            .mapToInt(Integer::intValue)
            .limit(code.k() - 1)
            .toArray();
    for (int number : others) {
      layout |= 1L << number;
    }
    return layout;
  }

  @Override
  public List<MovingArc> movingArcs(ServerMap before) {
    return ((ServersInOneRing) before).ring.arcsTo(ring);
  }

  @Override
  public List<ServerMap> adding(List<ServerId> added, int failed) {
    requireSome(added);
    return next(ring.with(added), placed(servers.clone(), added));
  }

  @Override
  public List<ServerMap> removing(List<ServerId> removed, int failed) {
    requireSome(removed);
    HashRing rest = ring.without(removed);
    if (rest.servers().size() < code.n()) {
      throw new IllegalArgumentException(
          "removing %s leaves %d servers, legal with code %s: %d and above"
              .formatted(removed, rest.servers().size(), code, code.n()));
    }
    @Nullable ServerId[] left = servers.clone();
    removed.forEach(server -> left[ring(server)] = null);
    return next(rest, left);
  }

  /** A change in one step, because every object is always whole in one stripe or another. */
  private List<ServerMap> next(HashRing after, @Nullable ServerId[] placed) {
    Numbers former = new Numbers(ring, numbers);
    return List.of(new ServersInOneRing(code, version + 1, after, placed, former));
  }

  private static void requireSome(Collection<ServerId> changed) {
    if (changed.isEmpty()) {
      throw new IllegalArgumentException("0 servers to add or remove, legal: 1 and above");
    }
  }

  private static @Nullable ServerId[] placed(
      @Nullable ServerId[] servers, Collection<ServerId> added) {
    long all = added.size() + Arrays.stream(servers).filter(Objects::nonNull).count();
    if (all > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "%d servers with the scheme %s, legal: up to %d"
              .formatted(all, "ccmemcached", MAX_SERVERS));
    }
    int number = 0;
    for (ServerId server : added) {
      while (servers[number] != null) {
        number++;
      }
      servers[number] = server;
    }
    return servers;
  }
}
