package io.counterpart.lab.staleness;

import io.counterpart.lab.setup.Arm;

/** How the rows of an experiment on stale reads are stored. */
public enum StaleTable {
  /** Cassandra's defaults. */
  STOCK("", ""),

  /**
   * Decoupled replicas, flushed every few seconds. These tables are small, so every flush of a log
   * is split; at the usual sizes each would stay undivided.
   */
  DECOUPLED(
      "_decoupled", " AND memtable_flush_period_in_ms = 2000 AND " + Arm.decoupledRuns("20").cql());

  private final String suffix;
  private final String options;

  StaleTable(String suffix, String options) {
    this.suffix = suffix;
    this.options = options;
  }

  /** At the end of names of keyspaces and phases. */
  String suffix() {
    return suffix;
  }

  /** More options of the table, as CQL. */
  String options() {
    return options;
  }
}
