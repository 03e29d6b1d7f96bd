package io.counterpart.baselines;

import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.ServerId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The virtual nodes of servers on a ring, at the positions of {@link
 * io.counterpart.cache.ring.HashRing}. Immutable.
 */
final class ClockwiseServers {
  /** Sorted; the sign bit is flipped, so that Java's signed order is the unsigned one. */
  private final long[] positions;

  /** The server of each position. */
  private final ServerId[] servers;

  /**
   * @param servers by name
   */
  ClockwiseServers(List<ServerId> servers, int virtualNodes, long seed) {
    TreeMap<Long, ServerId> nodes = new TreeMap<>();
    for (ServerId server : servers) {
      for (int i = 0; i < virtualNodes; i++) {
        byte[] name = (server.name() + "#" + i).getBytes(StandardCharsets.US_ASCII);
        nodes.putIfAbsent(flip(KeyHash.of(name, 0, name.length, seed)), server);
      }
    }
    this.positions = nodes.keySet().stream().mapToLong(Long::longValue).toArray();
    this.servers = nodes.values().toArray(ServerId[]::new);
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
    int found = Arrays.binarySearch(positions, flip(position));
    int first = found < 0 ? -found - 1 : found;
    for (int i = 0; i < servers.length; i++) {
      ServerId server = servers[(first + i) % servers.length];
      if (takes.test(server)) {
        return server;
      }
    }
    throw new IllegalArgumentException("no server is taken, legal: one at least");
  }
}
