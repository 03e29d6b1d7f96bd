package io.counterpart.core.staleness.decide;

/** What a request reads, as far as it matters whether its level may change. */
public enum ReadShape {
  /** Rows of one partition: the only shape that may change. */
  ONE_PARTITION,
  /** Several partitions by key, or a range of them. */
  SEVERAL_PARTITIONS,
  /** Rows found through an index. */
  INDEX,
  /** Rows of one partition that a condition beyond the primary key's order selects. */
  FILTERED,
  /** A table of Cassandra itself, or this feature's own. */
  SYSTEM_TABLE,
  /** A virtual table. */
  VIRTUAL_TABLE,
  /** A materialized view, whose writes come from other replicas. */
  VIEW,
  /** Counters, whose writes have no sampled acknowledgements. */
  COUNTER,
  /** No SELECT: a write or a schema change; also batches. */
  NO_SELECT
}
