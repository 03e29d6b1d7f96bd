package io.counterpart.cache.coded.settings;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.ring.SingleRing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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

  private final CodeShape code;
  private final int shard;
  private final long version;
  private final SingleRing ring;

  /** Servers by number; null where there is none. */
  private final @Nullable ServerId[] servers;

  private final Map<ServerId, Integer> numbers = new HashMap<>();

  /** The last look-ups, by the lower bits of the stripe: a look-up goes around the ring. */
  private final @Nullable ParityServers[] parityServers = new ParityServers[KEPT_LOOKUPS];

  private record ParityServers(int stripe, long layout, List<ServerId> servers) {}

  private ServersInOneRing(
      CodeShape code, int shard, long version, SingleRing ring, @Nullable ServerId[] servers) {
    this.code = code;
    this.shard = shard;
    this.version = version;
    this.ring = ring;
    this.servers = servers;
    for (int number = 0; number < MAX_SERVERS; number++) {
      ServerId server = servers[number];
      if (server != null) {
        numbers.put(server, number);
      }
    }
  }

  /**
   * A new map, version 1.
   *
   * @param ring of n to {@link #MAX_SERVERS} servers
   * @throws IllegalArgumentException if there are more
   */
  static ServersInOneRing of(CodeShape code, int shard, SingleRing ring) {
    return new ServersInOneRing(
        code, shard, 1, ring, placed(new ServerId[MAX_SERVERS], ring.servers()));
  }

  /**
   * The map of a topology that {@link #isTopology}.
   *
   * @param ringOf makes the ring of servers
   */
  static ServersInOneRing restore(
      CodeShape code,
      int shard,
      Topology topology,
      Function<Collection<ServerId>, SingleRing> ringOf) {
    @Nullable ServerId[] servers = new ServerId[MAX_SERVERS];
    for (int number = 0; number < MAX_SERVERS; number++) {
      List<ServerId> there = topology.servers().get(number);
      servers[number] = there.isEmpty() ? null : there.get(0);
    }
    List<ServerId> all = Arrays.stream(servers).filter(Objects::nonNull).toList();
    return new ServersInOneRing(code, shard, topology.version(), ringOf.apply(all), servers);
  }

  /**
   * Whether a topology belongs to this scheme: it has a list for each number and then n empty ones,
   * which distinguish it from n rings.
   */
  static boolean isTopology(Topology topology) {
    return topology.servers().size() > MAX_SERVERS;
  }

  /** The n of a topology that {@link #isTopology}. */
  static int n(Topology topology) {
    return topology.servers().size() - MAX_SERVERS;
  }

  @Override
  public Topology topology(int step) {
    List<List<ServerId>> lists = new ArrayList<>();
    for (ServerId server : servers) {
      lists.add(server == null ? List.of() : List.of(server));
    }
    for (int i = 0; i < code.n(); i++) {
      lists.add(List.of());
    }
    return new Topology(version, lists, step);
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
    long position = KeyHash.of(OwnKeys.parity(shard, stripe, parity).bytes());
    return ring.server(position, server -> (taken >>> ring(server) & 1) == 0);
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
    SingleRing rest = ring.without(removed);
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
  private List<ServerMap> next(SingleRing after, @Nullable ServerId[] placed) {
    return List.of(new ServersInOneRing(code, shard, version + 1, after, placed));
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
              .formatted(all, CodedScheme.CCMEMCACHED, MAX_SERVERS));
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
