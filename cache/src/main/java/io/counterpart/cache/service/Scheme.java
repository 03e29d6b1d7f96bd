package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.ring.SingleRing;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.vanilla.VanillaTier;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How objects are kept: by its name a scheme becomes a tier. */
public enum Scheme {
  /** Each object on one server, without redundancy. */
  VANILLA {
    @Override
    ObjectTier open(Map<ServerId, ServerConnection> servers) {
      return new VanillaTier(SingleRing.of(servers.keySet(), VIRTUAL_NODES, SEED), servers);
    }

    @Override
    public boolean evicts() {
      return true;
    }
  };

  // where every key is depends on both: servers that keep their objects must be found again
  private static final int VIRTUAL_NODES = 160;
  private static final long SEED = 1;

  /**
   * The scheme of this name.
   *
   * @throws IllegalArgumentException with the name and those that are legal
   */
  public static Scheme parse(String name) {
    return Arrays.stream(values())
        .filter(scheme -> scheme.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scheme is '"
                        + name
                        + "', legal: "
                        + Arrays.stream(values())
                            .map(Scheme::toString)
                            .collect(Collectors.joining(", "))));
  }

  /** Servers that it needs at least. */
  public int minServers() {
    return 1;
  }

  /** Whether its servers may drop old items to make room for new ones, as memcached does. */
  public abstract boolean evicts();

  /**
   * A tier on these servers.
   *
   * @param servers a connection for each server, on the event loop that the tier is to belong to
   */
  abstract ObjectTier open(Map<ServerId, ServerConnection> servers);

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
