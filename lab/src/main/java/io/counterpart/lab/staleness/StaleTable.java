package io.counterpart.lab.staleness;

import io.counterpart.lab.setup.Arm;

/** How the rows of an experiment on stale reads are stored. */
public enum StaleTable {
  /** Cassandra's defaults. */
  STOCK("", ""),

  /** Decoupled replicas, flushed every few seconds; so small that each keeps one undivided log. */
  DECOUPLED(
      "_decoupled",
      " AND memtable_flush_period_in_ms = 5000 AND " + Arm.known(Arm.DECOUPLED_T4).cql());

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
