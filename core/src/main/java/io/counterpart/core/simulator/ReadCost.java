package io.counterpart.core.simulator;

import java.util.List;

/**
 * The cost of one read of an existing key, in Bloom filters of sstables whose range covers the key.
 *
 * @param checked mean sstables looked at, newest first, until the key is found
 * @param covering mean sstables whose range covers the key
 */
public record ReadCost(double checked, double covering) {
  private static final int POSITIONS = 32;

  static ReadCost of(Index index, Popularity popularity) {
    double checked = 0;
    double covering = 0;
    for (int i = 0; i < POSITIONS; i++) {
      List<Density> tables = index.covering((i + 0.5) / POSITIONS);
      covering += tables.size();
      checked += checked(tables, popularity);
    }
    return new ReadCost(checked / POSITIONS, covering / POSITIONS);
  }

  // P(the k-th is looked at) = P(the key exists and is in none of the k-1 newer ones)
  private static double checked(List<Density> newestFirst, Popularity popularity) {
    if (newestFirst.isEmpty()) {
      return 0;
    }
    Density all = newestFirst.stream().reduce(Density::union).orElseThrow();
    double existing = all.present(popularity);
    Density newer = Density.empty(popularity);
    double sum = 0;
    for (Density table : newestFirst) {
      sum += (existing - newer.present(popularity)) / existing;
      newer = newer.union(table);
    }
    return sum;
  }
}
