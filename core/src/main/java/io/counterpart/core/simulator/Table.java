package io.counterpart.core.simulator;

/**
 * An sstable: the part {@code first} inclusive to {@code end} exclusive of its structure's keys,
 * both in 0 to 1.
 */
record Table(double first, double end, Density density) {
  Table {
    if (!(first >= 0 && first < end && end <= 1)) {
      throw new IllegalArgumentException("range " + first + " to " + end + " is not within 0 to 1");
    }
  }

  static Table overAllKeys(Density density) {
    return new Table(0, 1, density);
  }

  double bytes(Population population) {
    return population.bytes(density, end - first);
  }

  boolean covers(double position) {
    return first <= position && position < end;
  }

  boolean overlaps(double from, double to) {
    return first < to && from < end;
  }
}
