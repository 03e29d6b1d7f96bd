package io.counterpart.cache.ring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of servers: which servers join or leave which rings. {@link #waves} cuts it into steps
 * that are safe one after the other.
 *
 * <p>Only keys of the rings' {@link HashRing#arcsTo arcs} move: to an added server, or away from a
 * removed one. Thread-safe: immutable. Paper: ECHash §4.1 (iii), §4.3.
 */
public final class RingChange {
  private final Rings before;

  /** The changed rings, by number. */
  private final Map<Integer, HashRing> changed;

  private RingChange(Rings before, Map<Integer, HashRing> changed) {
    this.before = before;
    this.changed = new TreeMap<>(changed);
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

  /**
   * Divides the change into waves that touch at most n − k − failed rings each, so that every
   * object stays readable. The waves are made one after the other, and each begins where the one
   * before ends. Versions grow by one a wave.
   *
   * @param k data chunks of a stripe, 1 to n
   * @param failed rings that have a server which cannot be read; 0 to n − k − 1
   * @return the rings after each wave
   * @throws IllegalArgumentException if k is illegal, or no ring may change now
   */
  public List<Rings> waves(int k, int failed) {
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
    List<Rings> waves = new ArrayList<>();
    List<Integer> changing = List.copyOf(changed.keySet());
    Rings reached = before;
    for (int from = 0; from < changing.size(); from += atOnce) {
      Map<Integer, HashRing> part = new HashMap<>();
      for (int ring : changing.subList(from, Math.min(from + atOnce, changing.size()))) {
        part.put(ring, Objects.requireNonNull(changed.get(ring)));
      }
      reached = reached.replace(part);
      waves.add(reached);
    }
    return List.copyOf(waves);
  }
}
