package io.counterpart.core.selection.simulator;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A sample of 100 values in which newer ones are likelier: a value t seconds newer weighs e^0.75t
 * as much. Each value gets the priority weight ÷ random number, and the 100 highest stay, as in the
 * reservoir that Cassandra's dynamic snitch uses. Priorities are kept as logarithms, so that time
 * may go on for ever.
 */
final class DecayingSample {
  private static final int SIZE = 100;
  private static final double DECAY_PER_NANO = 0.75e-9;

  private final SplittableRandom random;
  private final double[] priorities = new double[SIZE];
  private final long[] values = new long[SIZE];
  private int size;
  private boolean changed;
  private double median;

  DecayingSample(SplittableRandom random) {
    this.random = random;
  }

  void add(long value, long now) {
    double priority = DECAY_PER_NANO * now + Exponential.draw(random);
    boolean full = size == SIZE;
    int at = full ? least() : size++;
    if (full && priorities[at] > priority) {
      return;
    }
    priorities[at] = priority;
    values[at] = value;
    changed = true;
  }

  private int least() {
    int least = 0;
    for (int i = 1; i < SIZE; i++) {
      least = priorities[i] < priorities[least] ? i : least;
    }
    return least;
  }

  /** 0 where there is no value. */
  double median() {
    if (changed) {
      long[] ascending = Arrays.copyOf(values, size);
      Arrays.sort(ascending);
      int upper = size / 2;
      median = size % 2 == 1 ? ascending[upper] : (ascending[upper - 1] + ascending[upper]) / 2.0;
      changed = false;
    }
    return median;
  }
}
