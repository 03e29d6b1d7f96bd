package io.counterpart.core.simulator;

import java.util.Arrays;

/**
 * The share of a key range that an sstable is expected to hold.
 *
 * <p>Inserted keys are written once, so the inserted parts of two sstables never overlap. Updated
 * keys are drawn independently, so a key is in the union unless it is in neither. Both are exact
 * expectations for keys that hash evenly. Immutable.
 *
 * <p>An sstable has one density, so a merge that is dense at one end is averaged over its range;
 * the inserted shares that meet at one key may then sum to a little over 1. They are not capped: a
 * cap would lose bytes.
 */
final class Density {
  private final double inserted;
  private final double[] updated;

  private Density(double inserted, double[] updated) {
    this.inserted = inserted;
    this.updated = updated;
  }

  /** Nothing, in a population of so many popularity classes. */
  static Density empty(Popularity popularity) {
    return new Density(0, new double[popularity.classes()]);
  }

  /** New keys: the given share of the population. */
  static Density inserts(double share, Popularity popularity) {
    return new Density(share, new double[popularity.classes()]);
  }

  /** The distinct keys hit by {@code perKey} requests a key on average. */
  static Density updates(double perKey, Popularity popularity) {
    double[] updated = new double[popularity.classes()];
    for (int c = 0; c < updated.length; c++) {
      updated[c] = -Math.expm1(-popularity.requestsForOneKey(c, perKey));
    }
    return new Density(0, updated);
  }

  /** What is left after a merge: one version of each key that is in either. */
  Density union(Density other) {
    double[] either = new double[updated.length];
    for (int c = 0; c < either.length; c++) {
      either[c] = 1 - (1 - updated[c]) * (1 - other.updated[c]);
    }
    return new Density(inserted + other.inserted, either);
  }

  /** The mean of this over {@code width} and the other over {@code otherWidth}. */
  Density average(double width, Density other, double otherWidth) {
    if (otherWidth == 0) {
      return this;
    }
    double own = width / (width + otherWidth);
    double[] mean = new double[updated.length];
    for (int c = 0; c < mean.length; c++) {
      mean[c] = own * updated[c] + (1 - own) * other.updated[c];
    }
    return new Density(own * inserted + (1 - own) * other.inserted, mean);
  }

  /** Share of the keys that are present: also the chance that a given key is. */
  double present(Popularity popularity) {
    double hit = 0;
    for (int c = 0; c < updated.length; c++) {
      hit += popularity.keyShare(c) * updated[c];
    }
    return inserted + (1 - inserted) * hit;
  }

  @Override
  public String toString() {
    return "Density[inserted=" + inserted + ", updated=" + Arrays.toString(updated) + "]";
  }
}
