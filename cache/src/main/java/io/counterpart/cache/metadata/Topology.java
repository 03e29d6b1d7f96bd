package io.counterpart.cache.metadata;

import io.counterpart.cache.ring.ServerId;
import java.util.List;

/**
 * The servers of each ring, and the step of a change under way.
 *
 * @param version of the rings, 1 and above
 * @param servers by ring, at least one ring
 * @param step step of a change, defined by the caller; 0 outside a change
 */
public record Topology(long version, List<List<ServerId>> servers, int step) {
  private static final int MAX_RINGS = 255;
  private static final int MAX_SERVERS = 65_535;

  public Topology {
    if (version < 1 || step < 0) {
      throw new IllegalArgumentException(
          "version " + version + ", step " + step + ", legal: from 1, from 0");
    }
    if (servers.isEmpty() || servers.size() > MAX_RINGS) {
      throw new IllegalArgumentException(servers.size() + " rings, legal: 1 to " + MAX_RINGS);
    }
    for (List<ServerId> ring : servers) {
      if (ring.size() > MAX_SERVERS) {
        throw new IllegalArgumentException(
            ring.size() + " servers in a ring, legal: 0 to " + MAX_SERVERS);
      }
    }
    servers = servers.stream().map(List::copyOf).toList();
  }
}
