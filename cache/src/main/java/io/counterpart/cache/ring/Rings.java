package io.counterpart.cache.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The n hash rings of the tier. Every server is in exactly one, so a change of the servers of one
 * ring changes at most one chunk of a stripe. A version number orders successive rings.
 *
 * <p>{@link #of} gives ring sizes that differ by at most one, and adding servers preserves that.
 * The caller names the servers to remove, so removals may leave larger differences.
 *
 * <p>Thread-safe: immutable. Paper: ECHash §4.1.
 */
public final class Rings {
  /** Most rings: the n of the longest code. */
  public static final int MAX_RINGS = 64;

  private final long version;
  private final List<HashRing> rings;
  private final Map<ServerId, Integer> ringOfServer;

  private Rings(long version, List<HashRing> rings) {
    this.version = version;
    this.rings = List.copyOf(rings);
    Map<ServerId, Integer> ringOf = new HashMap<>();
    for (int ring = 0; ring < rings.size(); ring++) {
      for (ServerId server : rings.get(ring).servers()) {
        Integer other = ringOf.put(server, ring);
        if (other != null) {
          throw new IllegalArgumentException(
              "server " + server + " in the rings " + other + " and " + ring + ", legal: one ring");
        }
      }
    }
    this.ringOfServer = Map.copyOf(ringOf);
  }

  /**
   * Spreads servers over rings, in the order given: the i-th goes to ring i mod n. Version 1.
   *
   * @param n number of rings, 1 to {@link #MAX_RINGS}
   * @param servers at least n, each once
   * @param virtualNodes v of each server
   * @param seed of the virtual nodes' positions
   * @throws IllegalArgumentException if there are fewer servers than rings, one is there twice, or
   *     a number is illegal
   */
  public static Rings of(int n, List<ServerId> servers, int virtualNodes, long seed) {
    if (n < 1 || n > MAX_RINGS) {
      throw new IllegalArgumentException(n + " rings, legal: 1 to " + MAX_RINGS);
    }
    if (servers.size() < n) {
      throw new IllegalArgumentException(
          servers.size() + " servers for " + n + " rings, legal: " + n + " and above");
    }
    List<List<ServerId>> byRing = new ArrayList<>();
    for (int ring = 0; ring < n; ring++) {
      byRing.add(new ArrayList<>());
    }
    for (int i = 0; i < servers.size(); i++) {
      byRing.get(i % n).add(servers.get(i));
    }
    return restore(1, byRing, virtualNodes, seed);
  }

  /**
   * Restores stored rings from the servers of each.
   *
   * @param version 1 and above
   * @throws IllegalArgumentException if a ring is empty, a server is in two, or a number is illegal
   */
  public static Rings restore(
      long version, List<? extends List<ServerId>> servers, int virtualNodes, long seed) {
    if (version < 1) {
      throw new IllegalArgumentException("version " + version + ", legal: 1 and above");
    }
    if (servers.isEmpty() || servers.size() > MAX_RINGS) {
      throw new IllegalArgumentException(servers.size() + " rings, legal: 1 to " + MAX_RINGS);
    }
    List<HashRing> rings = new ArrayList<>();
    for (List<ServerId> ring : servers) {
      rings.add(HashRing.of(ring, virtualNodes, seed));
    }
    return new Rings(version, rings);
  }

  public long version() {
    return version;
  }

  /** Number of rings, n. */
  public int count() {
    return rings.size();
  }

  /** All servers, by name. */
  public List<ServerId> servers() {
    return ringOfServer.keySet().stream().sorted().toList();
  }

  /** Servers of a ring, by name. */
  public List<ServerId> servers(int ring) {
    return rings.get(ring).servers();
  }

  /** Servers by ring, in the form that {@link #restore} takes. */
  public List<List<ServerId>> serversByRing() {
    return rings.stream().map(HashRing::servers).toList();
  }

  public boolean contains(ServerId server) {
    return ringOfServer.containsKey(server);
  }

  /**
   * Ring of a server.
   *
   * @throws IllegalArgumentException if the server is in none
   */
  public int ring(ServerId server) {
    Integer ring = ringOfServer.get(server);
    if (ring == null) {
      throw new IllegalArgumentException("server " + server + ", legal: one of " + servers());
    }
    return ring;
  }

  /** Ring of a key, by its {@link KeyHash}. */
  public int ring(long keyHash) {
    return KeyHash.ring(keyHash, rings.size());
  }

  /** Server of a key, by its {@link KeyHash}. */
  public ServerId server(long keyHash) {
    return rings.get(ring(keyHash)).server(keyHash);
  }

  /** Server of an item whose ring is not that of its key, such as a parity item. */
  public ServerId server(int ring, long position) {
    return rings.get(ring).server(position);
  }

  /** The arcs of a ring whose keys have another server in {@code after}, by their end. */
  public List<MovingArc> arcsTo(Rings after, int ring) {
    return rings.get(ring).arcsTo(after.rings.get(ring));
  }

  HashRing hashRing(int ring) {
    return rings.get(ring);
  }

  /** The ring of each added server: the smallest, of several the first. */
  Map<Integer, List<ServerId>> placeAdded(List<ServerId> added) {
    int[] sizes = rings.stream().mapToInt(ring -> ring.servers().size()).toArray();
    Map<Integer, List<ServerId>> placed = new HashMap<>();
    Set<ServerId> seen = new HashSet<>();
    for (ServerId server : added) {
      if (contains(server) || !seen.add(server)) {
        throw new IllegalArgumentException(
            "server " + server + " to add, legal: once, and none of " + servers());
      }
      int smallest =
          IntStream.range(0, sizes.length)
              .boxed()
              .min(Comparator.comparingInt(ring -> sizes[ring]))
              .orElseThrow();
      sizes[smallest]++;
      placed.computeIfAbsent(smallest, ring -> new ArrayList<>()).add(server);
    }
    return placed;
  }

  /** These rings with some of them replaced, under the next version. */
  Rings replace(Map<Integer, HashRing> replaced) {
    List<HashRing> next = new ArrayList<>(rings);
    replaced.forEach(next::set);
    return new Rings(version + 1, next);
  }

  /** Equal if version and rings are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Rings that && version == that.version && rings.equals(that.rings);
  }

  @Override
  public int hashCode() {
    return 31 * rings.hashCode() + Long.hashCode(version);
  }

  @Override
  public String toString() {
    return "version " + version + " of " + rings;
  }
}
