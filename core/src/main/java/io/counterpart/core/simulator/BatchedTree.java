package io.counterpart.core.simulator;

import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A tree behind a queue of flushes: the plugin gathers wide primary files and cuts them at the
 * range bounds in one rewrite, which then enters the tree. Not thread-safe.
 */
final class BatchedTree implements Index {
  private final Index tree;
  private final Population population;
  private final BatchPolicy batches;
  private final int groups;
  // newest last
  private final List<Density> queue = new ArrayList<>();

  BatchedTree(Index tree, Population population, BatchPolicy batches, int groups) {
    this.tree = tree;
    this.population = population;
    this.batches = batches;
    this.groups = groups;
  }

  @Override
  public void add(Density flushed) {
    queue.add(flushed);
  }

  @Override
  public Optional<Compaction> compact() {
    List<Long> sizes = queue.stream().map(f -> (long) population.bytes(f, 1)).toList();
    if (batches.decide(sizes, Duration.ZERO, groups, 0) instanceof BatchDecision.Rewrite rewrite) {
      List<Density> batch = queue.subList(0, rewrite.files());
      Density all = batch.stream().reduce(Density::union).orElseThrow();
      batch.clear();
      tree.add(all);
      return Optional.of(new Compaction(Compaction.Cause.TREE, population.bytes(all, 1)));
    }
    return tree.compact();
  }

  @Override
  public List<Density> covering(double position) {
    List<Density> found = new ArrayList<>(queue);
    Collections.reverse(found);
    found.addAll(tree.covering(position));
    return found;
  }

  @Override
  public long tables() {
    return queue.size() + tree.tables();
  }

  @Override
  public double bytes() {
    return queue.stream().mapToDouble(f -> population.bytes(f, 1)).sum() + tree.bytes();
  }
}
