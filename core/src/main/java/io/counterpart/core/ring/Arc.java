package io.counterpart.core.ring;

/**
 * One arc of the ring as this node sees it.
 *
 * @param replicaIndex 0 where this node is the primary within its datacenter, 1 … RF−1 where it
 *     keeps a redundant copy, {@link #NOT_OWNED} where it keeps none
 * @param group id of the range group that the arc belongs to; arcs with the same id share sstables
 */
public record Arc(int replicaIndex, int group) {
  /** Replica index of an arc that this node has no copy of. */
  public static final int NOT_OWNED = -1;

  public Arc {
    if (replicaIndex < NOT_OWNED) {
      throw new IllegalArgumentException("replicaIndex " + replicaIndex + ", legal: -1 and above");
    }
    if (group < 0) {
      throw new IllegalArgumentException("group " + group + ", legal: 0 and above");
    }
  }

  public boolean isPrimary() {
    return replicaIndex == 0;
  }

  public boolean isRedundant() {
    return replicaIndex > 0;
  }

  public boolean isOwned() {
    return replicaIndex != NOT_OWNED;
  }
}
