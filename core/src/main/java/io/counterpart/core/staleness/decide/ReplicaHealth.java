package io.counterpart.core.staleness.decide;

/**
 * The state of the replicas that a level reads from.
 *
 * @param replicas that keep the row, in the local datacenter for a local level; 0 and above
 * @param down one of them is down
 * @param pending one more is joining the set
 * @param suspect one of them owes acknowledgements
 * @param catchingUp one of them was away, and may still lack what was written meanwhile
 */
public record ReplicaHealth(
    int replicas, boolean down, boolean pending, boolean suspect, boolean catchingUp) {
  /** Checks. */
  public ReplicaHealth {
    if (replicas < 0) {
      throw new IllegalArgumentException("replicas is %d, legal: 0 and above".formatted(replicas));
    }
  }
}
