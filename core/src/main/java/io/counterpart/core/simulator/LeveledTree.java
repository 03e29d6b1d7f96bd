package io.counterpart.core.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Cassandra's leveled compaction: the choices of its {@code LeveledManifest}, one compaction at a
 * time.
 *
 * <p>Level i holds {@code fanout^i} sstables. A level over its limit hands its next sstable, round
 * robin, to the level below together with all that it overlaps; L0 goes to L1 whole, at most 32
 * sstables at a time; over 32 sstables in L0 are tiered first. Not thread-safe.
 */
final class LeveledTree implements Index {
  private static final int L0_LIMIT = 32;
  private static final int L0_TIER = 4;
  private static final double OVERFULL = 1.001;

  private final Population population;
  private final double sstableBytes;
  private final int fanout;
  // newest last in level 0, by first key in the others
  private final List<List<Table>> levels = new ArrayList<>();
  private final List<Double> lastCompacted = new ArrayList<>();

  LeveledTree(Population population, double sstableBytes, int fanout) {
    this.population = population;
    this.sstableBytes = sstableBytes;
    this.fanout = fanout;
    level(1);
  }

  @Override
  public void add(Density flushed) {
    level(0).add(Table.overAllKeys(flushed));
  }

  @Override
  public Optional<Compaction> compact() {
    boolean behind = level(0).size() > L0_LIMIT;
    for (int i = levels.size() - 1; i > 0; i--) {
      if (bytes(level(i)) > OVERFULL * Math.pow(fanout, i) * sstableBytes) {
        Optional<Compaction> tiered = behind ? tierL0() : Optional.empty();
        return tiered.isPresent() ? tiered : Optional.of(promote(i));
      }
    }
    return compactL0();
  }

  private Compaction promote(int from) {
    List<Table> source = level(from);
    double after = lastCompacted.get(from);
    Table chosen =
        source.stream().filter(t -> t.first() >= after).findFirst().orElse(source.get(0));
    List<Table> target = level(from + 1);
    List<Table> overlapped =
        target.stream().filter(t -> t.overlaps(chosen.first(), chosen.end())).toList();
    source.remove(chosen);
    target.removeAll(overlapped);
    List<Table> inputs = new ArrayList<>(overlapped);
    inputs.add(chosen);
    // an sstable that overlaps nothing changes its level without being rewritten
    List<Table> outputs =
        overlapped.isEmpty() ? inputs : TableMerge.merge(inputs, population, sstableBytes);
    insert(from + 1, outputs);
    lastCompacted.set(from, chosen.end());
    return new Compaction(Compaction.Cause.TREE, overlapped.isEmpty() ? 0 : bytes(outputs));
  }

  private Optional<Compaction> compactL0() {
    List<Table> source = level(0);
    List<Table> inputs = new ArrayList<>(source.subList(0, Math.min(L0_LIMIT, source.size())));
    if (inputs.size() < 2 && bytes(inputs) <= sstableBytes) {
      return Optional.empty();
    }
    boolean stays = bytes(inputs) <= sstableBytes;
    source.removeAll(inputs);
    if (stays) {
      List<Table> merged = TableMerge.merge(inputs, population, Double.MAX_VALUE);
      source.addAll(0, merged);
      return Optional.of(new Compaction(Compaction.Cause.TREE, bytes(merged)));
    }
    inputs.addAll(level(1));
    level(1).clear();
    List<Table> merged = TableMerge.merge(inputs, population, sstableBytes);
    insert(1, merged);
    return Optional.of(new Compaction(Compaction.Cause.TREE, bytes(merged)));
  }

  // size-tiered within L0: the smallest sstables of like size, when there are four of them
  private Optional<Compaction> tierL0() {
    List<Table> bySize = new ArrayList<>(level(0));
    bySize.sort(Comparator.comparingDouble(t -> t.bytes(population)));
    for (int i = 0; i + L0_TIER <= bySize.size(); i++) {
      double limit = 1.5 * bySize.get(i).bytes(population);
      List<Table> bucket =
          bySize.stream().skip(i).takeWhile(t -> t.bytes(population) <= limit).toList();
      if (bucket.size() >= L0_TIER) {
        return Optional.of(mergeWithinL0(bucket.subList(0, Math.min(L0_LIMIT, bucket.size()))));
      }
    }
    return Optional.empty();
  }

  private Compaction mergeWithinL0(List<Table> bucket) {
    int newest = bucket.stream().mapToInt(level(0)::indexOf).max().orElseThrow();
    List<Table> merged = TableMerge.merge(bucket, population, Double.MAX_VALUE);
    level(0).addAll(newest + 1, merged);
    level(0).removeAll(bucket);
    return new Compaction(Compaction.Cause.TREE, bytes(merged));
  }

  private void insert(int to, List<Table> tables) {
    level(to).addAll(tables);
    level(to).sort(Comparator.comparingDouble(Table::first));
  }

  private List<Table> level(int i) {
    while (levels.size() <= i) {
      levels.add(new ArrayList<>());
      lastCompacted.add(0.0);
    }
    return levels.get(i);
  }

  private double bytes(List<Table> tables) {
    return tables.stream().mapToDouble(t -> t.bytes(population)).sum();
  }

  @Override
  public List<Density> covering(double position) {
    List<Density> found = new ArrayList<>();
    for (int i = level(0).size() - 1; i >= 0; i--) {
      found.add(level(0).get(i).density());
    }
    for (List<Table> level : levels.subList(1, levels.size())) {
      level.stream().filter(t -> t.covers(position)).map(Table::density).forEach(found::add);
    }
    return found;
  }

  @Override
  public long tables() {
    return levels.stream().mapToLong(List::size).sum();
  }

  @Override
  public double bytes() {
    return levels.stream().mapToDouble(this::bytes).sum();
  }
}
