package io.counterpart.baselines;

import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.ServerId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The virtual nodes of servers on a ring, at the positions of {@link
 * io.counterpart.cache.ring.HashRing}. Immutable.
 */
final class ClockwiseServers {
  /** By position; the sign bit is flipped, so that Java's signed order is the unsigned one. */
  private final TreeMap<Long, ServerId> nodes = new TreeMap<>();

  /**
   * @param servers by name
   */
  ClockwiseServers(List<ServerId> servers, int virtualNodes, long seed) {
    for (ServerId server : servers) {
      for (int i = 0; i < virtualNodes; i++) {
        byte[] name = (server.name() + "#" + i).getBytes(StandardCharsets.US_ASCII);
        nodes.putIfAbsent(flip(KeyHash.of(name, 0, name.length, seed)), server);
      }
    }
  }

  private static long flip(long position) {
    return position ^ Long.MIN_VALUE;
  }

  /**
   * The server of the first accepted virtual node at or after a position.
   *
   * @throws IllegalArgumentException if no server is accepted
   */
  ServerId first(long position, Predicate<ServerId> takes) {
    return Stream.of(nodes.tailMap(flip(position)), nodes)
        .flatMap(part -> part.values().stream())
        .filter(takes)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no server is taken, legal: one at least"));
  }
}
