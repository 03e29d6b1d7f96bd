package io.counterpart.core.recovery;

import java.util.List;

/**
 * A range and its replicas.
 *
 * @param endpoints in ring order, over all datacenters
 */
public record ReplicatedRange(TokenRange range, List<String> endpoints) {

  /** Checks and copies. */
  public ReplicatedRange {
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("range " + range + " has no replica");
    }
    endpoints = List.copyOf(endpoints);
  }
}
