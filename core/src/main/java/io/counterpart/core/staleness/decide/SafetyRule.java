package io.counterpart.core.staleness.decide;

/** The reasons to leave a read at its client's level, in the order in which they are looked at. */
public enum SafetyRule implements DecisionReason {
  /** The table's policy. */
  MODE_OFF,
  /** SERIAL, LOCAL_SERIAL, EACH_QUORUM, NODE_LOCAL, ALL: levels that mean more than a number. */
  LEVEL_IS_FIXED,
  /** A write, a schema change or a batch. */
  NOT_A_SELECT,
  /** A table of Cassandra or of this feature. */
  SYSTEM_TABLE,
  /** A virtual table. */
  VIRTUAL_TABLE,
  /** Writes of views are not sampled. */
  MATERIALIZED_VIEW,
  /** Counter writes are not sampled. */
  COUNTER_TABLE,
  /** Through an index. */
  INDEX_READ,
  /**
   * Rows are filtered: with several replicas the coordinator fetches rows that one of them lacks,
   * and fails where these are too many.
   */
  FILTERED_READ,
  /** A range of partitions, or several by key. */
  SEVERAL_PARTITIONS,
  /** The request says {@code cr=strict}. */
  STRICT_REQUEST,
  /** More replicas than samples can tell apart, a single one, or fewer than the client asks for. */
  UNSUPPORTED_REPLICATION,
  /** A replica is down. */
  REPLICA_DOWN,
  /** A replica joins the set. */
  REPLICA_PENDING,
  /** A replica owes acknowledgements. */
  REPLICA_SUSPECT,
  /** A later page gets the first one's level, or the client's where that may not be used. */
  LATER_PAGE,
  /** The newest sample is older than 30 s. */
  DATA_TOO_OLD,
  /** No first look yet, or too few samples for any bound of ε. */
  WARM_UP,
  /** The session wrote the partition, and expects to read its own write: that is not lowered. */
  SESSION_WROTE_KEY,
  /** The policy does not let reads go below the client's level. */
  MODE_RAISE,
  /** The policy's floor asks for more replicas than the client does. */
  FLOOR_ABOVE_CLIENT,
  /** A replica was away and may still lack what was written meanwhile. */
  REPLICA_CATCHING_UP,
  /** Shadow reads were stale more often than ε. */
  LOWERING_FROZEN,
  /**
   * A guardrail of the cluster refuses the level, or ALL, which shadow reads of lowered ones need.
   */
  GUARDRAIL,
  /** Reads at the higher level usually take longer than the request may. */
  DEADLINE;

  /** One method for all: every read asks most of them, and code of its own each would be cold. */
  boolean keeps(SafetyRead read) {
    return switch (this) {
      case MODE_OFF -> read.policy.mode() == AdjustmentMode.OFF;
      case LEVEL_IS_FIXED -> !read.request.clientLevel().isAdjustable();
      case NOT_A_SELECT -> read.request.shape() == ReadShape.NO_SELECT;
      case SYSTEM_TABLE -> read.request.shape() == ReadShape.SYSTEM_TABLE;
      case VIRTUAL_TABLE -> read.request.shape() == ReadShape.VIRTUAL_TABLE;
      case MATERIALIZED_VIEW -> read.request.shape() == ReadShape.VIEW;
      case COUNTER_TABLE -> read.request.shape() == ReadShape.COUNTER;
      case INDEX_READ -> read.request.shape() == ReadShape.INDEX;
      case FILTERED_READ -> read.request.shape() == ReadShape.FILTERED;
      case SEVERAL_PARTITIONS -> read.request.shape() == ReadShape.SEVERAL_PARTITIONS;
      case STRICT_REQUEST -> read.request.wish().strict();
      case UNSUPPORTED_REPLICATION -> !read.hasSupportedReplication();
      case REPLICA_DOWN -> read.evidence.health().down();
      case REPLICA_PENDING -> read.evidence.health().pending();
      case REPLICA_SUSPECT -> read.evidence.health().suspect();
      case LATER_PAGE -> read.request.page().later();
      case DATA_TOO_OLD -> read.isTooOld();
      case WARM_UP -> read.isCold();
      case SESSION_WROTE_KEY -> read.lowers() && read.request.sessionWroteKey();
      case MODE_RAISE -> read.lowers() && read.policy.mode() != AdjustmentMode.LOWER;
      case FLOOR_ABOVE_CLIENT -> read.isBelowFloor();
      case REPLICA_CATCHING_UP -> read.lowers() && read.evidence.health().catchingUp();
      case LOWERING_FROZEN -> read.lowers() && read.evidence.loweringFrozen();
      case GUARDRAIL -> read.isRefused();
      case DEADLINE -> read.exceedsDeadline();
    };
  }
}
