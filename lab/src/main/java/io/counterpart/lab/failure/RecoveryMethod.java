package io.counterpart.lab.failure;

import java.util.Locale;

/** A method to restore a table on a node that lost it. */
public enum RecoveryMethod {
  /** {@code nodetool repair -full}, the way of stock Cassandra in DEPART §5.2 Experiment 6. */
  REPAIR,
  /** {@code nodetool rebuild}. */
  REBUILD,
  /** {@code counterpart recover}: for an empty node a rebuild in steps. */
  RECOVER,
  /** {@code counterpart recover --paper}: Merkle trees, primary and redundant ranges at once. */
  PAPER;

  /** The name in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
