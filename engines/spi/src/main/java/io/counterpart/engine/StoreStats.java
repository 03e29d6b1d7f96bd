package io.counterpart.engine;

/**
 * Sizes of a store.
 *
 * @param entries entries, or a lower estimate where the engine packs several into one
 * @param usedBytes bytes that entries and their index take, free space left out
 * @param diskBytes bytes that the store's files take on disk, or in memory where it has none
 * @param hitRatio share of reads of single keys that were answered without the files, 0 to 1; NaN
 *     where the engine does not count them, or none came
 */
public record StoreStats(long entries, long usedBytes, long diskBytes, double hitRatio) {

  public StoreStats {
    if (entries < 0 || usedBytes < 0 || diskBytes < 0) {
      throw new IllegalArgumentException(
          "negative: %d entries, %d used and %d disk bytes"
              .formatted(entries, usedBytes, diskBytes));
    }
  }

  /** Without a hit ratio. */
  public StoreStats(long entries, long usedBytes, long diskBytes) {
    this(entries, usedBytes, diskBytes, Double.NaN);
  }

  public StoreStats withHitRatio(double ratio) {
    return new StoreStats(entries, usedBytes, diskBytes, ratio);
  }
}
