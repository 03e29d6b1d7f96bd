package io.counterpart.cache.ring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of servers: which servers join or leave which rings, and which keys move. {@link #waves}
 * cuts it into changes that are safe one after the other; a wave is a change too.
 *
 * <p>Only keys of an affected arc move: to an added server, or away from a removed one.
 * Thread-safe: immutable. Paper: ECHash §4.1 (iii), §4.3.
 */
public final class RingChange {
  private final Rings before;
  private final Rings after;
  private final SortedMap<Integer, List<MovingArc>> arcs = new TreeMap<>();

  private RingChange(Rings before, Map<Integer, HashRing> changed) {
    this.before = before;
    this.after = before.replace(changed);
    changed.forEach((ring, next) -> arcs.put(ring, before.hashRing(ring).arcsTo(next)));
  }

  /**
   * Adds servers, each to the smallest ring at that time.
   *
   * @throws IllegalArgumentException if there is none, one is there already or is named twice
   */
  public static RingChange add(Rings before, List<ServerId> added) {
    requireSome(added);
    Map<Integer, HashRing> changed = new HashMap<>();
    before
        .placeAdded(added)
        .forEach((ring, servers) -> changed.put(ring, before.hashRing(ring).with(servers)));
    return new RingChange(before, changed);
  }

  /**
   * Removes servers.
   *
   * @throws IllegalArgumentException if there is none, one is unknown or named twice, or a ring
   *     would be left without a server
   */
  public static RingChange remove(Rings before, Collection<ServerId> removed) {
    requireSome(removed);
    Map<Integer, List<ServerId>> byRing = new HashMap<>();
    for (ServerId server : removed) {
      byRing.computeIfAbsent(before.ring(server), ring -> new ArrayList<>()).add(server);
    }
    Map<Integer, HashRing> changed = new HashMap<>();
    byRing.forEach(
        (ring, servers) -> {
          if (new TreeSet<>(servers).size() == before.servers(ring).size()) {
            throw new IllegalArgumentException(
                "removing "
                    + servers
                    + " leaves ring "
                    + ring
                    + " with 0 servers, legal: at least one server stays in each ring");
          }
          changed.put(ring, before.hashRing(ring).without(servers));
        });
    return new RingChange(before, changed);
  }

  private static void requireSome(Collection<ServerId> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("0 servers to add or remove, legal: 1 and above");
    }
  }

  public Rings before() {
    return before;
  }

  /** The rings after all moves; their version is one higher. */
  public Rings after() {
    return after;
  }

  /** The rings that change. */
  public SortedSet<Integer> rings() {
    return new TreeSet<>(arcs.keySet());
  }

  /** Added servers and the ring that each joins. */
  public SortedMap<ServerId, Integer> joins() {
    return difference(after, before);
  }

  /** Removed servers and the ring that each leaves. */
  public SortedMap<ServerId, Integer> leaves() {
    return difference(before, after);
  }

  private static SortedMap<ServerId, Integer> difference(Rings these, Rings those) {
    SortedMap<ServerId, Integer> found = new TreeMap<>();
    for (ServerId server : these.servers()) {
      if (!those.contains(server)) {
        found.put(server, these.ring(server));
      }
    }
    return found;
  }

  /** The affected arcs of a ring, by their end; none if the ring does not change. */
  public List<MovingArc> arcs(int ring) {
    return arcs.getOrDefault(ring, List.of());
  }

  /** The move of a key, by its {@link KeyHash}; empty if it stays. */
  public Optional<Move> moves(long keyHash) {
    return moves(before.ring(keyHash), keyHash);
  }

  /** The move of an item whose ring is not that of its key, such as a parity item. */
  public Optional<Move> moves(int ring, long position) {
    if (!arcs.containsKey(ring)) {
      return Optional.empty();
    }
    ServerId from = before.server(ring, position);
    ServerId to = after.server(ring, position);
    return from.equals(to) ? Optional.empty() : Optional.of(new Move(from, to));
  }

  /**
   * Divides the change into waves that touch at most n − k − failed rings each, so that every
   * object stays readable. The waves are made one after the other, and each begins where the one
   * before ends. Versions grow by one a wave.
   *
   * @param k data chunks of a stripe, 1 to n
   * @param failed rings that have a server which cannot be read; 0 to n − k − 1
   * @throws IllegalArgumentException if k is illegal, or no ring may change now
   */
  public List<RingChange> waves(int k, int failed) {
    int n = before.count();
    if (k < 1 || k > n) {
      throw new IllegalArgumentException("k = " + k + ", legal: 1 to " + n);
    }
    int atOnce = n - k - failed;
    if (failed < 0 || atOnce < 1) {
      throw new IllegalArgumentException(
          failed
              + " failed rings with n = "
              + n
              + " and k = "
              + k
              + ", legal: 0 to "
              + (n - k - 1));
    }
    List<RingChange> waves = new ArrayList<>();
    List<Integer> changing = List.copyOf(arcs.keySet());
    Rings reached = before;
    for (int from = 0; from < changing.size(); from += atOnce) {
      Map<Integer, HashRing> part = new HashMap<>();
      for (int ring : changing.subList(from, Math.min(from + atOnce, changing.size()))) {
        part.put(ring, after.hashRing(ring));
      }
      RingChange wave = new RingChange(reached, part);
      waves.add(wave);
      reached = wave.after();
    }
    return List.copyOf(waves);
  }
}
