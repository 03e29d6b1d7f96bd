package io.counterpart.core.engine;

/** Where a write of an engine's table goes: to the store, or to the memtable and with a flush. */
public enum PutDecision {
  DIRECT("direct"),
  BUFFERED("buffered"),
  INDEXED("buffered: the table has an index"),
  VIEWED("buffered: the table has a materialized view"),
  BY_RANK("buffered: redundant copies go to sstables"),
  REPLAYING("buffered: the commit log is replayed"),
  TRUNCATING("buffered: the table is truncated");

  private final String reason;

  PutDecision(String reason) {
    this.reason = reason;
  }

  /**
   * The rule. Tables with an index or view stay on sstables, and so do redundant copies of tables
   * that keep primary copies alone in the store: which are which, a flush decides. A replay has its
   * writes in the log until the flush that ends it. While the stores are emptied writes stay out of
   * them, so that all that is in them is older than the truncation.
   */
  public static PutDecision of(PutFacts facts) {
    if (facts.mode() == WriteMode.BUFFERED) {
      return BUFFERED;
    }
    if (facts.indexed()) {
      return INDEXED;
    }
    if (facts.viewed()) {
      return VIEWED;
    }
    if (facts.byRank()) {
      return BY_RANK;
    }
    if (facts.replaying()) {
      return REPLAYING;
    }
    return facts.truncating() ? TRUNCATING : DIRECT;
  }

  /** Whether the write is in the store before it is acknowledged. */
  public boolean isDirect() {
    return this == DIRECT;
  }

  /** For operators, a phrase. */
  public String reason() {
    return reason;
  }
}
