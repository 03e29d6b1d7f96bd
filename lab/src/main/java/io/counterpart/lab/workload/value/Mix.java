package io.counterpart.lab.workload.value;

/**
 * SplitMix64 (Steele, Lea, Flood 2014): a full-period 64-bit mixer that is cheap enough to write
 * values with.
 */
public final class Mix {
  /** What a state grows by between two values of a stream. */
  public static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** The value of a state. */
  public static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
