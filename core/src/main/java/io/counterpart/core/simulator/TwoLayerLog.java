package io.counterpart.core.simulator;

import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.RunPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The two-layer log of redundant copies: segments of the global log, split into one sorted run per
 * range group, runs merged by the plugin's own policies.
 *
 * <p>Keys hash evenly, so every group holds the same runs: one group is simulated and counts as
 * {@code groups}. Not thread-safe. Paper: DEPART §4.3, §4.4.
 */
final class TwoLayerLog implements Index {
  private final Population population;
  private final BatchPolicy splits;
  private final RunPolicy merges;
  private final int groups;
  // both newest last
  private final List<Density> segments = new ArrayList<>();
  private final List<Density> runs = new ArrayList<>();

  TwoLayerLog(Population population, BatchPolicy splits, RunPolicy merges, int groups) {
    this.population = population;
    this.splits = splits;
    this.merges = merges;
    this.groups = groups;
  }

  @Override
  public void add(Density flushed) {
    segments.add(flushed);
  }

  // an overdue split comes first, as in the plugin: unsplit segments cost every read
  @Override
  public Optional<Compaction> compact() {
    BatchDecision due = splits.decide(sizes(segments, 1), Duration.ZERO, groups, 0);
    if (due instanceof BatchDecision.Rewrite rewrite) {
      return Optional.of(split(rewrite.files()));
    }
    List<Integer> picked = merges.pick(sizes(runs, groups));
    return picked.isEmpty() ? Optional.empty() : Optional.of(merge(picked));
  }

  private Compaction split(int oldest) {
    List<Density> batch = segments.subList(0, oldest);
    Density run = batch.stream().reduce(Density::union).orElseThrow();
    batch.clear();
    runs.add(run);
    return new Compaction(Compaction.Cause.SPLIT, population.bytes(run, 1));
  }

  private Compaction merge(List<Integer> picked) {
    List<Density> inputs = picked.stream().map(runs::get).toList();
    Density merged = inputs.stream().reduce(Density::union).orElseThrow();
    runs.set(Collections.max(picked), merged);
    runs.removeAll(inputs);
    return new Compaction(Compaction.Cause.MERGE, population.bytes(merged, 1));
  }

  private List<Long> sizes(List<Density> files, int parts) {
    return files.stream().map(f -> (long) (population.bytes(f, 1) / parts)).toList();
  }

  @Override
  public List<Density> covering(double position) {
    List<Density> found = new ArrayList<>(runs);
    found.addAll(segments);
    Collections.reverse(found);
    return found;
  }

  @Override
  public long tables() {
    return segments.size() + (long) groups * runs.size();
  }

  @Override
  public double bytes() {
    return bytes(segments) + bytes(runs);
  }

  @Override
  public double segmentBytes() {
    return bytes(segments);
  }

  private double bytes(List<Density> files) {
    return files.stream().mapToDouble(f -> population.bytes(f, 1)).sum();
  }
}
