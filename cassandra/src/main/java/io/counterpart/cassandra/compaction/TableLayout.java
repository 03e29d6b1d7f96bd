package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.PrimaryEngine;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Role;
import org.jspecify.annotations.Nullable;

/** Maps an sstable to its tree, by the table's mode and options. */
record TableLayout(DecoupledOptions options, Mode mode) {
  static final int NO_TREE = -1;
  private static final int ONE_TREE = 0;

  /** With a tree for each replica index there is no log: an sstable fits a tree or is mixed. */
  Placed inMode(Placed where) {
    if (mode == Mode.DECOUPLED || where.role() == Role.FOREIGN) {
      return where;
    }
    Role role = where.replicaIndex() >= 0 ? Role.PRIMARY : Role.MIXED;
    return new Placed(role, where.group(), where.replicaIndex());
  }

  /** The tree of an sstable at that place, or {@link #NO_TREE}. */
  int treeOf(@Nullable Placed where, @Nullable RingSnapshot ring) {
    if (where == null || mode == Mode.UNIFORM) {
      return where == null ? NO_TREE : ONE_TREE;
    }
    if (mode == Mode.MLSM) {
      return where.replicaIndex() >= 0 ? where.replicaIndex() : NO_TREE;
    }
    if (where.role() != Role.PRIMARY) {
      return NO_TREE;
    }
    // one tree keeps groups apart only if it cuts its output by overlap, and groups do not overlap
    boolean apart =
        options.engine() == PrimaryEngine.LCS || (ring != null && ring.view().hasScatteredGroups());
    return apart ? where.group() : ONE_TREE;
  }
}
