package io.counterpart.cassandra.format;

import org.apache.cassandra.utils.BloomFilter;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;

/**
 * The Bloom filter that Cassandra makes for a chance of a false positive. Cassandra fixes the
 * number of hashes by the table's chance; a filter of another chance keeps it and differs in bits.
 *
 * <p>A filter of b bits and h hashes a key passes {@code (1 − e^(−h/b))^h} of the absent keys. The
 * bits for a wanted chance p follow: {@code b = −h ÷ ln(1 − p^(1/h))}. Worked: a table's 0.01 has
 * 10 bits and 5 hashes; with 5 hashes, 0.1 needs 5.0 bits.
 *
 * @param hashes of one key, at least 1
 * @param bitsPerKey at least 1
 */
record FilterShape(int hashes, int bitsPerKey) {
  /** Cassandra's filters have no more, whatever the chance. */
  private static final int MOST_BITS_PER_KEY = 20;

  /** Few, so that it costs nothing; enough that what is added to each filter does not count. */
  private static final int SAMPLE_KEYS = 1000;

  FilterShape {
    if (hashes < 1 || bitsPerKey < 1) {
      throw new IllegalArgumentException(hashes + " hashes, " + bitsPerKey + " bits, legal: 1 on");
    }
  }

  /**
   * As Cassandra has it.
   *
   * @param chance of a false positive, above 0 and below 1
   */
  static FilterShape of(double chance) {
    try (IFilter filter = FilterFactory.getFilter(SAMPLE_KEYS, chance)) {
      BloomFilter bloom = (BloomFilter) filter;
      return new FilterShape(bloom.hashCount, (int) (bloom.bitset.capacity() / SAMPLE_KEYS));
    }
  }

  /**
   * Bits a key of a filter with these hashes and the chance, at most {@value #MOST_BITS_PER_KEY}: a
   * table with hardly any filter has too few hashes for a strict chance at a sane size.
   */
  double bitsFor(double chance) {
    double bits = -hashes / Math.log1p(-Math.pow(chance, 1.0 / hashes));
    return Math.min(bits, MOST_BITS_PER_KEY);
  }
}
