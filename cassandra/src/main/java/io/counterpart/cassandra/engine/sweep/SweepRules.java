package io.counterpart.cassandra.engine.sweep;

import io.counterpart.cassandra.engine.store.PurgeRule;

/**
 * Which deletions one turn of a sweep purges: those that a merge of nothing would, and none from
 * the moment on at which the table's memtables or sstables are others than when the turn began.
 *
 * <p>A read finds memtables and sstables first, and what the store has afterwards. Were older data
 * merged into the store in between, and the deletion that hides it purged, the read would return
 * the data and miss the deletion. So a turn begins when the readers of before have ended, and later
 * ones have found what the rule looks at.
 */
final class SweepRules {
  private final SweptTable table;
  private final Object view;

  private SweepRules(SweptTable table, Object view) {
    this.table = table;
    this.view = view;
  }

  /** The rules of a turn that begins now; waits for reads. */
  static SweepRules begin(SweptTable table) {
    SweepRules rules = new SweepRules(table, table.view());
    table.awaitReaders();
    return rules;
  }

  /** Whether the table's memtables and sstables are the same as at the beginning, and covered. */
  boolean hold() {
    return table.view() == view && table.isCovered();
  }

  PurgeRule now() {
    PurgeRule rule = table.mergeRule();
    return new PurgeRule(
        rule.gcBefore(),
        rule.nowInSeconds(),
        // what leaves a memtable or an sstable while it is looked for is found by the second
        key -> rule.elsewhere().test(key) || !hold(),
        rule.oldestLogged());
  }
}
