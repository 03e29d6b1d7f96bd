package io.counterpart.core.plan;

/** The kind of a background task. */
public enum TaskKind {
  /** Drops sstables in which every cell has expired; nothing is rewritten. */
  EXPIRE,
  /** Segments of the global log into sorted runs. */
  SPLIT,
  /** Wide primary files into aligned sstables of the primary tree. */
  PRIMARY_BATCH,
  /** Sorted runs of one group into fewer. */
  MERGE,
  /** Settled sstables that span groups, or hold both kinds of copies, into aligned ones. */
  REALIGN,
  /** Files of a small table's undivided log into one. */
  LOG_MERGE,
  /** Runs of one group again, without what has become droppable. */
  PURGE,
  /** The primary tree's own next compaction, whatever that is. */
  TREE,
  /** All that an operator's {@code nodetool compact} covers. */
  COMPACT,
  /** One sstable into one of the same content, as {@code nodetool upgradesstables} asks. */
  REWRITE
}
