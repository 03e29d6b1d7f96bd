package io.counterpart.core.staleness.estimate;

import java.util.ArrayList;
import java.util.List;

/**
 * The probability that a read misses an acknowledged write, for each number of replicas read.
 *
 * @param samples writes behind it
 * @param delta probability with which an upper bound is wrong, above 0 and below 1
 * @param byReads at index R − 1 for R replicas, all of the same length as the replica set
 */
public record StaleBounds(long samples, double delta, List<Bound> byReads) {
  /**
   * One probability.
   *
   * @param mean as sampled, 0 to 1
   * @param low lower bound, at most {@code mean}
   * @param high upper bound, at least {@code mean}
   */
  public record Bound(double mean, double low, double high) {
    /** Checks. */
    public Bound {
      if (!(low >= 0 && low <= mean && mean <= high && high <= 1)) {
        throw new IllegalArgumentException(
            "low %s, mean %s, high %s, legal: 0 ≤ low ≤ mean ≤ high ≤ 1"
                .formatted(low, mean, high));
      }
    }
  }

  /** Copies. */
  public StaleBounds {
    byReads = List.copyOf(byReads);
  }

  /** Number of replicas of the set. */
  public int replicas() {
    return byReads.size();
  }

  /** The bound of a read of so many replicas, 1 to {@link #replicas}. */
  public Bound reads(int replicas) {
    return byReads.get(replicas - 1);
  }

  /** Whether so many samples can bound a probability by {@code epsilon} at all. */
  public boolean suffices(double epsilon) {
    return samples >= EmpiricalBernstein.leastSamples(epsilon, delta);
  }

  /**
   * The same, with each upper bound at least the other's, and no more samples: what is known
   * between two looks. When writes stop, too few samples say so before bounds of few samples say
   * anything.
   */
  StaleBounds raisedTo(StaleBounds newer) {
    List<Bound> raised = new ArrayList<>();
    for (int i = 0; i < byReads.size(); i++) {
      Bound mine = byReads.get(i);
      Bound other = newer.byReads.get(i);
      raised.add(other.high() > mine.high() ? other : mine);
    }
    return new StaleBounds(Math.min(samples, newer.samples), delta, raised);
  }
}
