package io.counterpart.core.simulator;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.RunPolicy;
import java.util.Optional;

/** A node's layout of its copies on disk. */
public sealed interface Layout {
  /** The name in reports. */
  String name();

  /** All copies in one tree: stock Cassandra. */
  record Uniform(Tree tree) implements Layout {
    @Override
    public String name() {
      return "uniform " + tree.label();
    }
  }

  /** One tree for each replica index. Paper: DEPART §3.2, the naive approach. */
  record MultipleTrees(Tree tree) implements Layout {
    @Override
    public String name() {
      return "mlsm " + tree.label();
    }
  }

  /**
   * Primary copies in a tree, redundant copies in a two-layer log. Paper: DEPART §4.
   *
   * @param primaryBatches when gathered primary flushes are cut at the range bounds and enter the
   *     tree; absent where each enters as it is (the paper)
   * @param splits when segments of the global log are split
   * @param merges which sorted runs of a group are merged
   */
  record Decoupled(
      Tree tree, Optional<BatchPolicy> primaryBatches, BatchPolicy splits, RunPolicy merges)
      implements Layout {
    @Override
    public String name() {
      int runs = merges.maxRuns();
      return "decoupled "
          + tree.label()
          + " S="
          + (runs == RunPolicy.UNLIMITED ? "unlimited" : Integer.toString(runs));
    }
  }

  /** The kind of an LSM-tree. */
  enum Tree {
    /** Leveled compaction strategy. */
    LCS("lcs"),
    /** Unified compaction strategy, {@code scaling_parameters: T4}. */
    UCS_T4("ucs_t4"),
    /** Unified compaction strategy, {@code scaling_parameters: L10}. */
    UCS_L10("ucs_l10");

    private final String label;

    Tree(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }

    Index build(Population population, Storage storage) {
      double sstable = storage.sstableBytes();
      double flush = storage.memtableBytes();
      return switch (this) {
        case LCS -> new LeveledTree(population, sstable, Storage.FANOUT);
        case UCS_T4 -> new UnifiedTree(population, sstable, new UnifiedTree.Shape(4, 4, flush));
        case UCS_L10 -> new UnifiedTree(population, sstable, new UnifiedTree.Shape(10, 2, flush));
      };
    }
  }
}
