package io.counterpart.core.engine.advice;

import java.util.Locale;

/** Where a table's data is, as far as advice depends on it. */
public enum Storage {
  /** Sstables under a stock compaction strategy. */
  SSTABLES,
  /** Sstables under decoupled compaction. */
  DECOUPLED,
  /** The engine {@code lmdb} on every node. */
  LMDB,
  /** The engine {@code memory} on every node. */
  MEMORY,
  /** An engine on a server, {@code redis} or {@code sql}, or one that is not known here. */
  SERVER,
  /** Not the same on all nodes. */
  BY_NODE;

  /** Whether data is in a B+tree on the node. */
  boolean isTree() {
    return this == LMDB || this == MEMORY;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
