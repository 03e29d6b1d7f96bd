package io.counterpart.lab.workload;

import java.util.SplittableRandom;
import site.ycsb.generator.DiscreteGenerator;

/**
 * Operations of a mix from a seed, by the names that YCSB's core workload expects; YCSB's own
 * chooser draws from {@code ThreadLocalRandom} and so cannot be repeated. Not thread-safe.
 */
final class SeededOperations extends DiscreteGenerator {
  private final OperationMix mix;
  private final SplittableRandom random;
  private String last = "READ";

  SeededOperations(OperationMix mix, long seed) {
    this.mix = mix;
    random = new SplittableRandom(seed);
  }

  @Override
  public String nextValue() {
    last = operation(random.nextDouble());
    return last;
  }

  @Override
  public String lastValue() {
    return last;
  }

  private String operation(double drawn) {
    double left = drawn - mix.read();
    if (left < 0) {
      return "READ";
    }
    left -= mix.update();
    if (left < 0) {
      return "UPDATE";
    }
    left -= mix.insert();
    if (left < 0) {
      return "INSERT";
    }
    left -= mix.scan();
    return left < 0 ? "SCAN" : "READMODIFYWRITE";
  }
}
