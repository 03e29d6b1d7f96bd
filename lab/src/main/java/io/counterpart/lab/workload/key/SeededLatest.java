package io.counterpart.lab.workload.key;

import site.ycsb.generator.NumberGenerator;

/**
 * A distribution that favours the newest keys: the newest key minus a Zipfian rank, as YCSB's
 * {@code SkewedLatestGenerator}, but from a seed. Not thread-safe.
 */
public final class SeededLatest extends NumberGenerator {
  private final NumberGenerator newest;
  private final SeededZipfian ranks;

  /**
   * @param newest its last value is the newest key
   */
  public SeededLatest(NumberGenerator newest, SeededZipfian ranks) {
    this.newest = newest;
    this.ranks = ranks;
  }

  @Override
  public Long nextValue() {
    long next = Math.max(0, newest.lastValue().longValue() - ranks.nextRank());
    setLastValue(next);
    return next;
  }

  @Override
  public double mean() {
    throw new UnsupportedOperationException("the mean moves with every insert");
  }
}
