package io.counterpart.cache.coded;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the parity servers of recently used stripes. Every write needs them, and each look-up
 * costs one hash for each parity chunk. Belongs to the shard's event loop.
 */
final class KnownParityServers {
  private static final int PLACES = 1 << 12;

  private final @Nullable Known[] places = new Known[PLACES];

  private record Known(int stripe, long layout, List<ServerLink> servers) {}

  /** The parity servers of a stripe with this layout; null if unknown. */
  @Nullable List<ServerLink> of(int stripe, long layout) {
    Known known = places[stripe & PLACES - 1];
    return known != null && known.stripe() == stripe && known.layout() == layout
        ? known.servers()
        : null;
  }

  void put(int stripe, long layout, List<ServerLink> servers) {
    places[stripe & PLACES - 1] = new Known(stripe, layout, List.copyOf(servers));
  }

  /** Forgets all entries, because parity may be on other servers from now on. */
  void clear() {
    Arrays.fill(places, null);
  }
}
