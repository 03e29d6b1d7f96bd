package io.counterpart.core.recovery;

/** The method that restores a keyspace. */
public enum RecoveryWay {
  /** Whole ranges are streamed from one replica each; nothing is compared. */
  REBUILD,
  /** Merkle trees of all replicas are compared; what differs is streamed. Paper: DEPART §4.5. */
  REPAIR,
  /** The node has streamed everything while it joined in a dead one's place. */
  REPLACE
}
