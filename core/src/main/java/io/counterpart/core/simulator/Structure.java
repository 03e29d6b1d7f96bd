package io.counterpart.core.simulator;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One index of a node while a workload is written into it: its next flush, and its cost so far. Not
 * thread-safe.
 */
final class Structure {
  private final Index index;
  private final Population population;
  private final double insertFlushes;
  private final double updateFlushes;
  private final double requestsPerFlush;
  private final Map<Compaction.Cause, Double> written = new EnumMap<>(Compaction.Cause.class);
  private long flushes;
  private double flushed;
  private double checkedSum;
  private double coveringSum;
  private long samples;

  /**
   * Starts empty.
   *
   * @param flushBytes size of a full flush
   * @param updatesPerKey updates after the inserts, a key on average
   */
  Structure(Index index, Population population, double flushBytes, double updatesPerKey) {
    this.index = index;
    this.population = population;
    this.insertFlushes = population.keys() * population.entryBytes() / flushBytes;
    this.requestsPerFlush = requestsThatFill(flushBytes, population, updatesPerKey);
    this.updateFlushes = updatesPerKey == 0 ? 0 : updatesPerKey / requestsPerFlush;
  }

  // a memtable keeps one version of a key, so skewed updates need more requests to fill it
  private static double requestsThatFill(double flushBytes, Population population, double most) {
    double low = 0;
    double high = most;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      Density hit = Density.updates(middle, population.popularity());
      if (population.bytes(hit, 1) < flushBytes) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  boolean isDone() {
    return flushes >= Math.ceil(insertFlushes) + Math.ceil(updateFlushes);
  }

  /** How much of the workload is written when the next flush comes, above 0. */
  double nextFlushAt() {
    return (flushes + 1) / (insertFlushes + updateFlushes);
  }

  /** Flushes the memtable; returns its bytes. */
  double flush() {
    double before = flushes++;
    double updatesBefore = before - Math.ceil(insertFlushes);
    Density memtable =
        updatesBefore < 0
            ? Density.inserts(
                Math.min(1, insertFlushes - before) / insertFlushes, population.popularity())
            : Density.updates(
                Math.min(1, updateFlushes - updatesBefore) * requestsPerFlush,
                population.popularity());
    index.add(memtable);
    double bytes = population.bytes(memtable, 1);
    flushed += bytes;
    return bytes;
  }

  /** Does the next due compaction; its bytes, or empty when nothing is due. */
  Optional<Double> compact() {
    Optional<Compaction> done = index.compact();
    done.ifPresent(c -> written.merge(c.cause(), c.writtenBytes(), Double::sum));
    return done.map(Compaction::writtenBytes);
  }

  void sampleReads() {
    ReadCost cost = ReadCost.of(index, population.popularity());
    checkedSum += cost.checked();
    coveringSum += cost.covering();
    samples++;
  }

  StructureCost cost() {
    return new StructureCost(
        flushed,
        written.getOrDefault(Compaction.Cause.TREE, 0.0),
        written.getOrDefault(Compaction.Cause.SPLIT, 0.0),
        written.getOrDefault(Compaction.Cause.MERGE, 0.0),
        index.bytes(),
        index.segmentBytes(),
        index.tables(),
        new ReadCost(checkedSum / samples, coveringSum / samples));
  }
}
