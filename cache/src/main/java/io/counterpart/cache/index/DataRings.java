package io.counterpart.cache.index;

/**
 * The layout of a stripe in n rings: which of them hold its data. Chunk j is in the ring of the
 * j-th set bit; the rings without a bit hold its parity in the same order.
 *
 * @param mask bit r is set if ring r holds data; at least one bit
 */
public record DataRings(long mask) {

  public DataRings {
    if (mask == 0) {
      throw new IllegalArgumentException("layout 0, legal: at least one ring with data");
    }
  }

  /** Number of data chunks, k. */
  public int chunks() {
    return Long.bitCount(mask);
  }

  public boolean holdsData(int ring) {
    return (mask >>> ring & 1) != 0;
  }

  /**
   * Data chunk that a ring holds, 0 to k − 1.
   *
   * @throws IllegalArgumentException if the ring holds none
   */
  public int chunk(int ring) {
    if (ring < 0 || ring >= Long.SIZE || !holdsData(ring)) {
      throw new IllegalArgumentException(
          "ring " + ring + ", legal: one of " + Long.toBinaryString(mask) + " in binary");
    }
    return Long.bitCount(mask & ((1L << ring) - 1));
  }

  /**
   * Ring of a data chunk.
   *
   * @throws IllegalArgumentException if the chunk is not 0 to k − 1
   */
  public int ring(int chunk) {
    if (chunk < 0 || chunk >= chunks()) {
      throw new IllegalArgumentException("chunk " + chunk + ", legal: 0 to " + (chunks() - 1));
    }
    long rest = mask;
    for (int i = 0; i < chunk; i++) {
      rest &= rest - 1;
    }
    return Long.numberOfTrailingZeros(rest);
  }
}
