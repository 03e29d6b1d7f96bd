package io.counterpart.core.selection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The order in which a coordinator asks replicas, by the standings of one moment. Sort key of a
 * replica, for one row: (suspect, bucket, place, position). Immutable and thread-safe.
 *
 * <p>Let d = level − least level among the candidates. Since a level is log₁.₅(1 + Ψ/τ), ⌊d⌋ counts
 * how many times the score is half as slow again, with differences far below τ ignored. A replica
 * loses the share min(1, ⌊d⌋/4) of its rows. In these rows its bucket is ⌊d⌋, in all others 0. The
 * row's hash decides which rows those are, so they are always the same ones: the replicas that
 * serve them keep them cached.
 *
 * <p>Place: that of the node's engine class ({@link EngineOrder}); without an order the same for
 * all. It goes after the bucket: a fast engine that has become slow loses rows like any other.
 *
 * <p>Position: the primary is at 0. The redundant copies follow in ring order, beginning with the
 * one that the row's hash selects. Always the same neighbour would get all reads of a dead primary.
 *
 * <p>Worked, τ = 20 ms: a primary at 45 ms has level 2.91, the others at 5 ms have 0.55. ⌊2.36⌋ =
 * 2: half of its rows go to the others. At 200 ms ⌊5.36⌋ = 5: all of them.
 */
public final class Ranking<E> {
  /** Levels from the first lost row to the last one. */
  private static final int LEVELS_TO_LOSE_ALL = 4;

  private static final int BITS = 16;
  private static final int PLACE_BITS = 3;
  private static final long MASK = (1L << BITS) - 1;

  private final Map<E, Standing> standings;

  Ranking(Map<E, Standing> standings) {
    this.standings = Map.copyOf(standings);
  }

  /** A ranking that knows nothing: the primary first. */
  public static <E> Ranking<E> empty() {
    return new Ranking<>(Map.of());
  }

  /**
   * The candidates in the order to ask in.
   *
   * @param inRing the candidates of one datacenter in ring order, primary first; below 65,536
   * @param rowHash 0 and above; the same for each read of a row, its bits evenly spread
   */
  public List<E> order(List<E> inRing, int rowHash) {
    return order(inRing, rowHash, endpoint -> 0);
  }

  /**
   * As {@link #order(List, int)}, with the places of engine classes.
   *
   * @param places of each candidate, 0 to 7; lower ones are asked first
   */
  public List<E> order(List<E> inRing, int rowHash, ToIntFunction<E> places) {
    int size = inRing.size();
    if (size < 2) {
      return inRing;
    }
    double least = leastLevel(inRing);
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      Standing standing = standing(inRing.get(i));
      int bucket = loses(standing, least, rowHash) ? buckets(standing, least) : 0;
      long suspect = standing.suspect() ? 1 : 0;
      long place = places.applyAsInt(inRing.get(i));
      long byStanding = (suspect << BITS | bucket) << PLACE_BITS | place;
      keys[i] = (byStanding << BITS | position(i, size, rowHash)) << BITS | i;
    }
    Arrays.sort(keys);
    List<E> ordered = new ArrayList<>(size);
    for (long key : keys) {
      ordered.add(inRing.get((int) (key & MASK)));
    }
    return ordered;
  }

  /**
   * The position of a replica among equals: 0 for the primary.
   *
   * @param inRing its index in ring order
   * @param size replicas, 2 and above
   * @param rowHash 0 and above
   */
  public static int position(int inRing, int size, int rowHash) {
    int redundant = size - 1;
    return inRing == 0 ? 0 : 1 + (inRing - 1 + rowHash % redundant) % redundant;
  }

  private static boolean loses(Standing standing, double least, int rowHash) {
    return (double) rowHash / Integer.MAX_VALUE <= lostShare(standing, least);
  }

  private static int buckets(Standing standing, double least) {
    return (int) Math.floor(standing.level() - least);
  }

  private static double lostShare(Standing standing, double least) {
    return Math.min(1, (double) buckets(standing, least) / LEVELS_TO_LOSE_ALL);
  }

  /**
   * The share of its rows that an endpoint loses to the best of some endpoints, 0 to 1. A suspect
   * endpoint loses all.
   */
  public double lostShare(E endpoint, List<E> others) {
    Standing standing = standing(endpoint);
    return standing.suspect()
        ? 1
        : lostShare(standing, Math.min(standing.level(), leastLevel(others)));
  }

  /** Of those that answer; a suspect one cannot take rows from others. */
  private double leastLevel(List<E> endpoints) {
    double least = Double.MAX_VALUE;
    double leastOfAll = Double.MAX_VALUE;
    for (E endpoint : endpoints) {
      Standing standing = standing(endpoint);
      leastOfAll = Math.min(leastOfAll, standing.level());
      if (!standing.suspect()) {
        least = Math.min(least, standing.level());
      }
    }
    return least == Double.MAX_VALUE ? leastOfAll : least;
  }

  private Standing standing(E endpoint) {
    return standings.getOrDefault(endpoint, Standing.UNKNOWN);
  }

  Map<E, Standing> standings() {
    return standings;
  }

  /** Whether an endpoint has stopped answering. */
  public boolean isSuspect(E endpoint) {
    return standing(endpoint).suspect();
  }
}
