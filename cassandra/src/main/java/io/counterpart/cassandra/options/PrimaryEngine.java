package io.counterpart.cassandra.options;

/** What keeps a table's primary copies. */
public enum PrimaryEngine {
  /** LSM-trees, by Cassandra's UnifiedCompactionStrategy. */
  UCS,
  /** LSM-trees, by Cassandra's LeveledCompactionStrategy. */
  LCS,
  /**
   * The storage engine of the table's memtable configuration. Sstables with primary copies, as
   * streams bring them, are in a tree of UCS until the engine has taken them in.
   */
  ENGINE
}
