package io.counterpart.core.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Cassandra's unified compaction strategy, modelled on sorted runs. A level holds the runs from
 * {@code flush size * fanout^level} to {@code fanout} times that, and compacts them all when it has
 * {@code threshold} of them.
 *
 * <p>{@code T4} is fanout 4 and threshold 4; {@code L10} is fanout 10 and threshold 2. Shards cut a
 * run into sstables without changing the bytes written, so only {@link #tables()} knows them. Not
 * thread-safe.
 */
final class UnifiedTree implements Index {
  private final Population population;
  private final double sstableBytes;
  private final int fanout;
  private final int threshold;
  private final double flushBytes;
  // newest last
  private final List<Density> runs = new ArrayList<>();

  UnifiedTree(Population population, double sstableBytes, Shape shape) {
    this.population = population;
    this.sstableBytes = sstableBytes;
    this.fanout = shape.fanout();
    this.threshold = shape.threshold();
    this.flushBytes = shape.flushBytes();
  }

  /**
   * The geometry of the levels.
   *
   * @param fanout ratio of the sizes of neighbouring levels, at least 2
   * @param threshold runs in a level that make a compaction due, at least 2
   * @param flushBytes bytes of one flush of the table
   */
  record Shape(int fanout, int threshold, double flushBytes) {}

  @Override
  public void add(Density flushed) {
    runs.add(flushed);
  }

  @Override
  public Optional<Compaction> compact() {
    for (int i = 0; i < runs.size(); i++) {
      int level = level(runs.get(i));
      List<Density> peers = runs.stream().filter(run -> level(run) == level).toList();
      if (peers.size() >= threshold) {
        return Optional.of(merge(peers));
      }
    }
    return Optional.empty();
  }

  private Compaction merge(List<Density> peers) {
    Density all = peers.stream().reduce(Density::union).orElseThrow();
    int newest = runs.indexOf(peers.get(peers.size() - 1));
    runs.set(newest, all);
    runs.removeAll(peers);
    return new Compaction(Compaction.Cause.TREE, population.bytes(all, 1));
  }

  // as Controller.getBaseSstableSize: a little below the flush size, so that flushes that are a
  // little smaller still fill a level
  private int level(Density run) {
    double base = flushBytes * (1 - 0.9 / fanout);
    double ratio = population.bytes(run, 1) / base;
    return ratio < fanout ? 0 : (int) Math.floor(Math.log(ratio) / Math.log(fanout));
  }

  @Override
  public List<Density> covering(double position) {
    List<Density> newestFirst = new ArrayList<>(runs);
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  @Override
  public long tables() {
    return runs.stream()
        .mapToLong(run -> (long) Math.ceil(population.bytes(run, 1) / sstableBytes))
        .sum();
  }

  @Override
  public double bytes() {
    return runs.stream().mapToDouble(run -> population.bytes(run, 1)).sum();
  }
}
