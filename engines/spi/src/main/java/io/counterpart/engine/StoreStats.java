package io.counterpart.engine;

/**
 * Sizes of a store.
 *
 * @param entries entries, or a lower estimate where the engine packs several into one
 * @param usedBytes bytes that entries and their index take, free space left out
 * @param diskBytes bytes that the store's files take on disk, or in memory where it has none
 */
public record StoreStats(long entries, long usedBytes, long diskBytes) {

  public StoreStats {
    if (entries < 0 || usedBytes < 0 || diskBytes < 0) {
      throw new IllegalArgumentException(
          "negative: %d entries, %d used and %d disk bytes"
              .formatted(entries, usedBytes, diskBytes));
    }
  }
}
