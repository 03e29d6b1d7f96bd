package io.counterpart.core.recovery;

/** The method of recovery that an operator asks for. */
public enum RecoveryMode {
  /** The cheapest way that makes the node whole. */
  AUTO,
  /** Stream everything, compare nothing. */
  REBUILD,
  /** Compare Merkle trees, stream what differs. */
  REPAIR,
  /** A new node takes the tokens of a dead one. */
  REPLACE
}
