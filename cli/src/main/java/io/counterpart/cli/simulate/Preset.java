package io.counterpart.cli.simulate;

import io.counterpart.core.simulator.Layout.Tree;
import io.counterpart.core.simulator.Storage.Memtables;

/** The defaults of options not given: the paper's or the plugin's. */
enum Preset {
  /** DEPART §5.1. */
  PAPER(Tree.LCS, Policy.MERGE_ALL, Memtables.OWN, 0, 0),
  /** The defaults of the compaction strategy. */
  PLUGIN(Tree.UCS_T4, Policy.TIERED, Memtables.SHARED, 12, 4L << 20);

  final Tree primary;
  final Policy policy;
  final Memtables memtables;
  final int primaryBatch;
  final long minRunBytes;

  Preset(Tree primary, Policy policy, Memtables memtables, int primaryBatch, long minRunBytes) {
    this.primary = primary;
    this.policy = policy;
    this.memtables = memtables;
    this.primaryBatch = primaryBatch;
    this.minRunBytes = minRunBytes;
  }
}
