package io.counterpart.core.selection.simulator;

import java.util.SplittableRandom;

/** The exponential distribution of mean 1: times between events that know nothing of each other. */
final class Exponential {
  private Exponential() {}

  /** 0 and above. */
  static double draw(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble());
  }
}
