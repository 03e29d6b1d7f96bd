package io.counterpart.cassandra.engine.sweep;

import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.core.engine.SweepConditions;

/** What a sweep needs of its table. */
interface SweptTable {

  Generations stores();

  SweepConditions conditions();

  /** Which deletions a merge beside all memtables may purge now. */
  PurgeRule mergeRule();

  /**
   * Whether a replay would begin with the newest memtable. While a flush is under way, or has
   * failed, nothing may be purged.
   */
  boolean isCovered();

  /** Records how far the commit log is in stores or sstables: behind that nothing is purged. */
  void coverLog();

  /** The table's memtables and sstables: another object whenever there are others. */
  Object view();

  /** Returns when all reads have ended that began before. */
  void awaitReaders();
}
