package io.counterpart.lab.workload.key;

import java.util.SplittableRandom;
import site.ycsb.generator.NumberGenerator;

/** Keys in [0, n) from a seed, all as likely. Not thread-safe. */
public final class SeededUniform extends NumberGenerator {
  private final long items;
  private final SplittableRandom random;

  /**
   * @param items n, at least 1
   */
  public SeededUniform(long items, long seed) {
    if (items < 1) {
      throw new IllegalArgumentException("items %d: must be at least 1".formatted(items));
    }
    this.items = items;
    random = new SplittableRandom(seed);
  }

  @Override
  public Long nextValue() {
    long next = random.nextLong(items);
    setLastValue(next);
    return next;
  }

  @Override
  public double mean() {
    return (items - 1) / 2.0;
  }
}
