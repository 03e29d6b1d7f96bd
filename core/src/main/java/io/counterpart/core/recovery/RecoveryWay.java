package io.counterpart.core.recovery;

/** How a keyspace is restored. */
public enum RecoveryWay {
  /** Whole ranges are streamed from one replica each; nothing is compared. */
  REBUILD,
  /** Merkle trees of all replicas are compared; what differs is streamed. Paper: DEPART §4.5. */
  REPAIR,
  /** The node has streamed everything while it joined in a dead one's place. */
  REPLACE
}
