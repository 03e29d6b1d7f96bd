package io.counterpart.core.staleness.decide;

import java.util.function.Predicate;

/** The reasons to leave a read at its client's level, in the order in which they are looked at. */
public enum SafetyRule implements DecisionReason {
  /** The table's policy. */
  MODE_OFF(read -> read.policy.mode() == AdjustmentMode.OFF),
  /** SERIAL, LOCAL_SERIAL, EACH_QUORUM, NODE_LOCAL, ALL: levels that mean more than a number. */
  LEVEL_IS_FIXED(read -> !read.request.clientLevel().isAdjustable()),
  /** A write, a schema change or a batch. */
  NOT_A_SELECT(read -> read.request.shape() == ReadShape.NO_SELECT),
  /** A table of Cassandra or of this feature. */
  SYSTEM_TABLE(read -> read.request.shape() == ReadShape.SYSTEM_TABLE),
  /** A virtual table. */
  VIRTUAL_TABLE(read -> read.request.shape() == ReadShape.VIRTUAL_TABLE),
  /** Writes of views are not sampled. */
  MATERIALIZED_VIEW(read -> read.request.shape() == ReadShape.VIEW),
  /** Counter writes are not sampled. */
  COUNTER_TABLE(read -> read.request.shape() == ReadShape.COUNTER),
  /** Through an index. */
  INDEX_READ(read -> read.request.shape() == ReadShape.INDEX),
  /**
   * Rows are filtered: with several replicas the coordinator fetches rows that one of them lacks,
   * and fails where these are too many.
   */
  FILTERED_READ(read -> read.request.shape() == ReadShape.FILTERED),
  /** A range of partitions, or several by key. */
  SEVERAL_PARTITIONS(read -> read.request.shape() == ReadShape.SEVERAL_PARTITIONS),
  /** The request says {@code cr=strict}. */
  STRICT_REQUEST(read -> read.request.wish().strict()),
  /** The session wrote the partition: it expects to read its own write. */
  SESSION_WROTE_KEY(read -> read.request.sessionWroteKey()),
  /** More replicas than samples can tell apart, a single one, or fewer than the client asks for. */
  UNSUPPORTED_REPLICATION(read -> !read.hasSupportedReplication()),
  /** A replica is down. */
  REPLICA_DOWN(read -> read.evidence.health().down()),
  /** A replica joins the set. */
  REPLICA_PENDING(read -> read.evidence.health().pending()),
  /** A replica owes acknowledgements. */
  REPLICA_SUSPECT(read -> read.evidence.health().suspect()),
  /** A later page gets the first one's level, or the client's where that may not be used. */
  LATER_PAGE(read -> read.request.page().later()),
  /** The newest sample is older than 30 s. */
  DATA_TOO_OLD(SafetyRead::isTooOld),
  /** No first look yet, or too few samples for any bound of ε. */
  WARM_UP(SafetyRead::isCold),
  /** The policy does not let reads go below the client's level. */
  MODE_RAISE(read -> read.lowers() && read.policy.mode() != AdjustmentMode.LOWER),
  /** The policy's floor asks for more replicas than the client does. */
  FLOOR_ABOVE_CLIENT(SafetyRead::isBelowFloor),
  /** A replica was away and may still lack what was written meanwhile. */
  REPLICA_CATCHING_UP(read -> read.lowers() && read.evidence.health().catchingUp()),
  /** Shadow reads were stale more often than ε. */
  LOWERING_FROZEN(read -> read.lowers() && read.evidence.loweringFrozen()),
  /**
   * A guardrail of the cluster refuses the level, or ALL, which shadow reads of lowered ones need.
   */
  GUARDRAIL(read -> read.isRefused()),
  /** Reads at the higher level usually take longer than the request may. */
  DEADLINE(SafetyRead::exceedsDeadline);

  private final Predicate<SafetyRead> keeps;

  SafetyRule(Predicate<SafetyRead> keeps) {
    this.keeps = keeps;
  }

  boolean keeps(SafetyRead read) {
    return keeps.test(read);
  }
}
