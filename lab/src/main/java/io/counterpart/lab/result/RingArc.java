package io.counterpart.lab.result;

import java.util.List;

/**
 * One arc of the ring and who holds its rows.
 *
 * @param start where it begins, exclusive, as a fraction of the token space, 0 to 1
 * @param end where it ends, inclusive, 0 to 1; not above {@code start} where the arc wraps around
 * @param replicas addresses in ring order: the first is the primary, the others are redundant
 */
public record RingArc(double start, double end, List<String> replicas) {
  /** Checks the bounds and that somebody holds the arc. */
  public RingArc {
    replicas = List.copyOf(replicas);
    if (!(start >= 0 && start <= 1 && end >= 0 && end <= 1)) {
      throw new IllegalArgumentException(
          "arc from %s to %s: both must be from 0 to 1".formatted(start, end));
    }
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException(
          "arc from %s to %s: needs at least one replica".formatted(start, end));
    }
  }

  /** The part of the token space that it covers, 0 to 1. */
  double fraction() {
    return end > start ? end - start : end - start + 1;
  }
}
