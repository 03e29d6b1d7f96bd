package io.counterpart.lab.measure;

import java.util.Arrays;

/**
 * Counts of reads by the number of sstables that they merged: Cassandra's {@code
 * SSTablesPerReadHistogram} without its decay.
 *
 * <p>Buckets are 0, 1, 2 … 8, then grow by a factor of 1.2. Up to 8 the mean is exact; above, a
 * read counts as its bucket's upper bound. The array is never changed.
 */
public final class SstablesPerRead {
  private final long[] counts;

  /**
   * @param counts one count per bucket, as the JMX operation {@code values} returns them
   */
  public SstablesPerRead(long[] counts) {
    this.counts = counts.clone();
  }

  /** No reads. */
  public static SstablesPerRead none() {
    return new SstablesPerRead(new long[0]);
  }

  /** The sum with another node's counts. */
  public SstablesPerRead plus(SstablesPerRead other) {
    return combine(other, 1);
  }

  /** The counts since an earlier reading. */
  public SstablesPerRead since(SstablesPerRead earlier) {
    return combine(earlier, -1);
  }

  /** Number of reads. */
  public long reads() {
    return Arrays.stream(counts).sum();
  }

  /** Mean number of sstables merged by a read; 0 without reads. */
  public double mean() {
    long reads = reads();
    double weighted = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      weighted += (double) counts[bucket] * upperBound(bucket);
    }
    return reads == 0 ? 0 : weighted / reads;
  }

  /** The largest value that a bucket counts, by the server's rounding. */
  static long upperBound(int bucket) {
    long bound = bucket == 0 ? 0 : 1;
    for (int i = 2; i <= bucket; i++) {
      bound = Math.max(bound + 1, Math.round(bound * 1.2));
    }
    return bound;
  }

  private SstablesPerRead combine(SstablesPerRead other, int sign) {
    long[] sum = Arrays.copyOf(counts, Math.max(counts.length, other.counts.length));
    for (int i = 0; i < other.counts.length; i++) {
      sum[i] += sign * other.counts[i];
    }
    return new SstablesPerRead(sum);
  }
}
