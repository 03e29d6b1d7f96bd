package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Trees counted by hand; one flush is one sstable of one unit. */
class TreeTest {
  private static final double UNIT = 1 << 20;

  @Test
  void leveled_merges_two_flushes_into_level_one_with_all_that_is_there() {
    int flushes = 6;
    LeveledTree tree = new LeveledTree(population(flushes), UNIT, 10);

    double written = flushAll(tree, flushes);

    // 2, then 2 + 2, then 2 + 4
    assertThat(written / UNIT).isCloseTo(12, within(1e-6));
    assertThat(tree.tables()).isEqualTo(6);
    assertThat(tree.covering(0.4)).hasSize(1);
  }

  @Test
  void leveled_moves_an_sstable_down_without_rewriting_when_nothing_is_below() {
    int flushes = 12;
    LeveledTree tree = new LeveledTree(population(flushes), UNIT, 10);

    double written = flushAll(tree, flushes);

    // L0 to L1: 2 + 4 + 6 + 8 + 10 + 12; then 2 sstables change level only
    assertThat(written / UNIT).isCloseTo(42, within(1e-6));
    assertThat(tree.tables()).isEqualTo(12);
  }

  @Test
  void leveled_keeps_levels_within_their_limits_and_free_of_overlap() {
    int flushes = 500;
    LeveledTree tree = new LeveledTree(population(flushes), UNIT, 10);

    flushAll(tree, flushes);

    // levels 1, 2 and 3 once each, and at most one flush waiting in level 0
    for (double position = 0.001; position < 1; position += 0.01) {
      assertThat(tree.covering(position)).hasSizeBetween(1, 4);
    }
    assertThat(tree.bytes()).isCloseTo(flushes * UNIT, within(UNIT));
  }

  @Test
  void leveled_tiers_level_zero_when_it_is_far_behind() {
    Population population = population(40);
    LeveledTree tree = new LeveledTree(population, UNIT, 10);
    for (int i = 0; i < 2; i++) {
      addFlushes(tree, 20, 40);
      if (i == 0) {
        assertThat(tree.compact()).isPresent();
      }
    }
    addFlushes(tree, 13, 40);

    // level 1 holds 20 of 10 units and level 0 holds 33 flushes: tiering goes first
    Optional<Compaction> next = tree.compact();

    assertThat(next.orElseThrow().writtenBytes() / UNIT).isCloseTo(32, within(1e-6));
    assertThat(tree.tables()).isEqualTo(20 + 2);
  }

  @Test
  void unified_t4_rewrites_four_runs_of_a_level_into_one() {
    UnifiedTree tree = new UnifiedTree(population(16), UNIT, new UnifiedTree.Shape(4, 4, UNIT));

    double written = flushAll(tree, 16);

    // each of 16 units once per level
    assertThat(written / UNIT).isCloseTo(32, within(1e-6));
    assertThat(tree.covering(0.5)).hasSize(1);
  }

  @Test
  void unified_l10_keeps_one_run_in_a_level() {
    UnifiedTree tree = new UnifiedTree(population(9), UNIT, new UnifiedTree.Shape(10, 2, UNIT));

    double written = flushAll(tree, 9);

    // each flush but the first rewrites the one run of level 0: 2 + 3 + ... + 9
    assertThat(written / UNIT).isCloseTo(44, within(1e-6));
    assertThat(tree.covering(0.5)).hasSize(1);
  }

  @Test
  void a_batch_enters_the_tree_as_one_run() {
    Population population = population(15);
    UnifiedTree tree = new UnifiedTree(population, UNIT, new UnifiedTree.Shape(4, 4, UNIT));
    BatchPolicy four = new BatchPolicy(4, 4, 0, Duration.ofDays(1));
    BatchedTree batched = new BatchedTree(tree, population, four, 1);

    double written = flushAll(batched, 15);

    // three batches of four are runs of level 1, three flushes wait
    assertThat(written / UNIT).isCloseTo(12, within(1e-6));
    assertThat(batched.covering(0.5)).hasSize(6);
  }

  private static Population population(int units) {
    return new Population(units * UNIT / 1024, 1024, Popularity.none());
  }

  private static double flushAll(Index tree, int flushes) {
    double written = 0;
    for (int i = 0; i < flushes; i++) {
      addFlushes(tree, 1, flushes);
      Optional<Compaction> done = tree.compact();
      while (done.isPresent()) {
        written += done.get().writtenBytes();
        done = tree.compact();
      }
    }
    return written;
  }

  private static void addFlushes(Index tree, int count, int ofAll) {
    for (int i = 0; i < count; i++) {
      tree.add(Density.inserts(1.0 / ofAll, Popularity.none()));
    }
  }
}
