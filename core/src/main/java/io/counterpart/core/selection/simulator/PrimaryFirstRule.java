package io.counterpart.core.selection.simulator;

import io.counterpart.core.selection.Ranking;
import io.counterpart.core.selection.RecentTimings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The primary first, unless its mean latency exceeds a limit: twice the best replica's + 20 ms. It
 * then loses a share of its rows that reaches all of them at four times the limit. The rule of
 * {@code PrimaryFirstSnitch} until it took over NR's score.
 */
final class PrimaryFirstRule implements ReplicaRule {
  private static final double FACTOR = 2;
  private static final double SLACK_NANOS = Duration.ofMillis(20).toNanos();
  private static final double PRESUMED_NANOS = Duration.ofMillis(10).toNanos();
  private static final double LIMITS_TO_LOSE_ALL = 3;
  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  private final Map<Integer, RecentTimings> timings = new HashMap<>();
  private long now;

  @Override
  public int choose(List<Integer> replicas, int rowHash) {
    double[] means = new double[replicas.size()];
    double best = Double.MAX_VALUE;
    for (int i = 0; i < means.length; i++) {
      means[i] = meanNanos(replicas.get(i));
      best = Math.min(best, means[i] < 0 ? PRESUMED_NANOS : means[i]);
    }
    double limit = FACTOR * best + SLACK_NANOS;
    double rowShare = (double) rowHash / Integer.MAX_VALUE;
    int first = 0;
    int firstPosition = Integer.MAX_VALUE;
    for (int i = 0; i < means.length; i++) {
      boolean moved =
          means[i] > limit && rowShare <= (means[i] - limit) / (LIMITS_TO_LOSE_ALL * limit);
      int position = Ranking.position(i, means.length, rowHash) + (moved ? means.length : 0);
      if (position < firstPosition) {
        firstPosition = position;
        first = i;
      }
    }
    return replicas.get(first);
  }

  /** -1 where nothing is known. */
  private double meanNanos(int node) {
    RecentTimings recent = timings.get(node);
    OptionalDouble mean = recent == null ? OptionalDouble.empty() : recent.meanNanos(now);
    return mean.orElse(-1);
  }

  @Override
  public void answered(ReadAnswer answer, long at) {
    add(answer.node(), answer.nanos(), at);
  }

  @Override
  public void lost(int node, long waitedNanos, long at) {
    add(node, waitedNanos, at);
  }

  private void add(int node, long nanos, long at) {
    now = at;
    timings.computeIfAbsent(node, unused -> new RecentTimings(REMEMBERED)).add(nanos, at);
  }

  @Override
  public List<Integer> tick(long at) {
    now = at;
    return List.of();
  }
}
