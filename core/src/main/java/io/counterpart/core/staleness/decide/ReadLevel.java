package io.counterpart.core.staleness.decide;

import java.util.List;

/** Cassandra's consistency levels, as far as decisions about reads need them. */
public enum ReadLevel {
  /** One replica. */
  ONE,
  /** Two replicas. */
  TWO,
  /** Three replicas. */
  THREE,
  /** More than half of all replicas. */
  QUORUM,
  /** Every replica. */
  ALL,
  /** One replica of the coordinator's datacenter. */
  LOCAL_ONE,
  /** More than half of the replicas of the coordinator's datacenter. */
  LOCAL_QUORUM,
  /** Every other level. Its meaning is no number of replicas, so it is never adjusted. */
  OTHER;

  private static final List<ReadLevel> ANYWHERE = List.of(ONE, TWO, THREE, QUORUM, ALL);
  private static final List<ReadLevel> LOCAL = List.of(LOCAL_ONE, LOCAL_QUORUM);

  /** Whether the level may be replaced by another. ALL asks for certainty. */
  public boolean isAdjustable() {
    return this != OTHER && this != ALL;
  }

  /** Whether the level asks replicas of the coordinator's datacenter only. */
  public boolean isLocal() {
    return LOCAL.contains(this);
  }

  /** The levels that may replace this one: a local level stays local. */
  public List<ReadLevel> alternatives() {
    return isLocal() ? LOCAL : ANYWHERE;
  }

  /**
   * The replicas that a read waits for.
   *
   * @param replicas that keep the row, in the local datacenter for local levels
   */
  public int reads(int replicas) {
    return switch (this) {
      case ONE, LOCAL_ONE -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, LOCAL_QUORUM -> replicas / 2 + 1;
      case ALL -> replicas;
      case OTHER -> throw new IllegalStateException("OTHER has no number of replicas");
    };
  }
}
