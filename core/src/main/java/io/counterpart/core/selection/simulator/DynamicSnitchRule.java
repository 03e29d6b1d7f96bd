package io.counterpart.core.selection.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Cassandra 5.0's dynamic snitch over a stock network snitch, in one datacenter and rack. The stock
 * order is the coordinator first, then ring order. A node's score is the median of its latencies in
 * whole milliseconds, divided by the largest median of all nodes. Where, position by position, a
 * score in stock order exceeds 1 + threshold times the score in sorted order, replicas are sorted
 * by score instead.
 *
 * <p>Deviates: the reset of all samples, every ten minutes, is left out.
 */
final class DynamicSnitchRule implements ReplicaRule {
  private final int self;
  private final double factor;
  private final SplittableRandom random;
  private final Map<Integer, DecayingSample> samples = new HashMap<>();
  private Map<Integer, Double> scores = Map.of();

  /**
   * A rule without samples.
   *
   * @param threshold {@code dynamic_snitch_badness_threshold}, 0 and above
   */
  DynamicSnitchRule(int self, double threshold, SplittableRandom random) {
    this.self = self;
    this.factor = 1 + threshold;
    this.random = random;
  }

  @Override
  public int choose(List<Integer> replicas, int rowHash) {
    List<Integer> stock = new ArrayList<>(replicas);
    if (stock.remove((Integer) self)) {
      stock.add(0, self);
    }
    double[] inOrder = stock.stream().mapToDouble(this::score).toArray();
    double[] sorted = inOrder.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      if (inOrder[i] > sorted[i] * factor) {
        return stock.get(indexOf(sorted[0], inOrder));
      }
    }
    return stock.get(0);
  }

  private static int indexOf(double least, double[] inOrder) {
    int index = 0;
    while (inOrder[index] != least) {
      index++;
    }
    return index;
  }

  private double score(int node) {
    return scores.getOrDefault(node, 0.0);
  }

  @Override
  public void answered(ReadAnswer answer, long now) {
    add(answer.node(), answer.nanos(), now);
  }

  @Override
  public void lost(int node, long waitedNanos, long now) {
    add(node, waitedNanos, now);
  }

  private void add(int node, long nanos, long now) {
    samples.computeIfAbsent(node, unused -> new DecayingSample(random)).add(nanos / 1_000_000, now);
  }

  @Override
  public List<Integer> tick(long now) {
    Map<Integer, Double> medians = new HashMap<>();
    double largest = 1;
    for (Map.Entry<Integer, DecayingSample> each : samples.entrySet()) {
      double median = each.getValue().median();
      medians.put(each.getKey(), median);
      largest = Math.max(largest, median);
    }
    double most = largest;
    medians.replaceAll((node, median) -> median / most);
    scores = medians;
    return List.of();
  }
}
