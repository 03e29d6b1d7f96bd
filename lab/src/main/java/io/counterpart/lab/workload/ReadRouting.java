package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;

/** The node to which the client sends a read; the coordinator may forward it. */
public enum ReadRouting {
  /** Some replica of the row, another each time, rather a fast one: the Java driver's default. */
  ANY_REPLICA(DriverExecutionProfile.DEFAULT_NAME),
  /** Some replica of the row, another each time, whether slow or not: a shuffling policy. */
  SHUFFLED_REPLICAS("shuffled-replicas"),
  /**
   * The row's first replica in ring order: the default of gocql's token-aware policy, and of the
   * Python driver's with {@code shuffle_replicas=False}.
   */
  PRIMARY_REPLICA("primary-replica"),
  /** The row's second replica in ring order. */
  REDUNDANT_REPLICA("redundant-replica");

  private final String profile;

  ReadRouting(String profile) {
    this.profile = profile;
  }

  /** Name of the driver's execution profile that routes so. */
  String profile() {
    return profile;
  }
}
