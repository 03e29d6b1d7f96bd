package io.counterpart.core.staleness.estimate;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes may have got ranges between two looks at the ring. Their rows there come from others:
 * {@link Absences#tookOver}.
 *
 * <p>A node whose token is new has what comes before the token, and nobody else has more. Where a
 * token is gone, others have what came before it. Which ones depends on the replication of each
 * keyspace, so all that are left count.
 *
 * <p>Belongs to one thread.
 */
public final class Takeovers<N, T> {
  private Map<T, N> owners = Map.of();

  /**
   * What is different.
   *
   * @param grown nodes of now that may have got ranges
   * @param gone nodes that have no token any more
   */
  public record Change<N>(Set<N> grown, Set<N> gone) {}

  /**
   * Looks at the ring, and says what is different since the last look. At the first one that finds
   * tokens nothing is.
   *
   * @param now the owner of each token
   */
  public Change<N> look(Map<T, N> now) {
    Map<T, N> before = owners;
    owners = Map.copyOf(now);
    if (before.isEmpty()) {
      return new Change<>(Set.of(), Set.of());
    }
    boolean isTokenGone = !now.keySet().containsAll(before.keySet());
    Set<N> grown = new HashSet<>();
    now.forEach(
        (token, node) -> {
          if (isTokenGone || !node.equals(before.get(token))) {
            grown.add(node);
          }
        });
    Set<N> gone = new HashSet<>(before.values());
    gone.removeAll(new HashSet<>(now.values()));
    return new Change<>(grown, gone);
  }
}
