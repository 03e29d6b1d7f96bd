package io.counterpart.core.staleness;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Predicts by simulation how often a read misses the last acknowledged write. A write goes to all
 * replicas and is acknowledged at the {@code w}-th answer. The read begins a time t later, goes to
 * all replicas, and takes the first {@code r} responses. It is stale if it reached each of these
 * replicas before the write did.
 *
 * <p>Worked: with N = 3, R = W = 1 and equal delays of reads and writes, the replica that answered
 * the write has it; the two others may not. Stateless and thread-safe; the same seed gives the same
 * counts.
 *
 * <p>Source: Bailis et al. (VLDB 2012), §4 (the WARS model).
 */
public final class WarsSimulation {
  /** Trials at most: some ten seconds. */
  public static final int MOST_TRIALS = 50_000_000;

  private final WarsModel model;
  private final Quorum quorum;

  public WarsSimulation(WarsModel model, Quorum quorum) {
    this.model = model;
    this.quorum = quorum;
  }

  /**
   * Stale reads among trials.
   *
   * @param afterMillis time from the write's acknowledgement to the read, 0 and above
   * @param trials 1 to {@value #MOST_TRIALS}
   * @throws IllegalArgumentException if a value is out of its range
   */
  public Proportion stale(double afterMillis, int trials, long seed) {
    if (!(afterMillis >= 0)) {
      throw new IllegalArgumentException("t is %s ms, legal: 0 and above".formatted(afterMillis));
    }
    if (trials < 1 || trials > MOST_TRIALS) {
      throw new IllegalArgumentException(
          "trials is %d, legal: 1 to %d".formatted(trials, MOST_TRIALS));
    }
    SplittableRandom random = new SplittableRandom(seed);
    Trial trial = new Trial(quorum.replicas());
    int stale = 0;
    for (int i = 0; i < trials; i++) {
      stale += trial.isStale(random, afterMillis) ? 1 : 0;
    }
    return new Proportion(stale, trials);
  }

  /** Arrays that all trials share. */
  private final class Trial {
    private final double[] written;
    private final double[] acknowledged;
    private final double[] read;
    private final double[] answered;

    Trial(int replicas) {
      written = new double[replicas];
      acknowledged = new double[replicas];
      read = new double[replicas];
      answered = new double[replicas];
    }

    boolean isStale(SplittableRandom random, double afterMillis) {
      for (int i = 0; i < written.length; i++) {
        written[i] = model.write().sample(random);
        acknowledged[i] = written[i] + model.ack().sample(random);
        read[i] = model.read().sample(random);
        answered[i] = read[i] + model.response().sample(random);
      }
      Arrays.sort(acknowledged);
      double begin = acknowledged[quorum.writes() - 1] + afterMillis;
      for (int taken = 0; taken < quorum.reads(); taken++) {
        int first = first(answered);
        if (begin + read[first] >= written[first]) {
          return false;
        }
        answered[first] = Double.POSITIVE_INFINITY;
      }
      return true;
    }

    private static int first(double[] times) {
      int first = 0;
      for (int i = 1; i < times.length; i++) {
        first = times[i] < times[first] ? i : first;
      }
      return first;
    }
  }
}
