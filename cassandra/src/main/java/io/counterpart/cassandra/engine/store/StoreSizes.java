package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.StoreStats;
import java.util.List;

/**
 * Sizes of a table's stores.
 *
 * @param usedBytes of entries
 * @param diskBytes of files
 * @param hitRatio of the youngest, as {@link StoreStats#hitRatio}
 */
public record StoreSizes(
    int stores, long partitions, long usedBytes, long diskBytes, double hitRatio) {

  /** Sizes of some generations together. */
  public static StoreSizes of(List<Generation> generations) {
    StoreSizes sum = new StoreSizes(0, 0, 0, 0, Double.NaN);
    for (Generation generation : generations) {
      StoreStats stats = generation.ask(TableStore::stats);
      if (stats != null) {
        sum = sum.plus(generation.store().state().partitions(), stats);
      }
    }
    return sum;
  }

  private StoreSizes plus(long more, StoreStats stats) {
    return new StoreSizes(
        stores + 1,
        partitions + more,
        usedBytes + stats.usedBytes(),
        diskBytes + stats.diskBytes(),
        stats.hitRatio());
  }
}
