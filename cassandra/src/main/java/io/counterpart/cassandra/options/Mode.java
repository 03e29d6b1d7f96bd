package io.counterpart.cassandra.options;

/**
 * The mapping of a node's copies to index structures.
 *
 * <p>Paper: DEPART §3.2 (naïve approaches), §4.
 */
public enum Mode {
  /** Primary copies in an LSM-tree, redundant copies in a two-layer log. */
  DECOUPLED,
  /** One LSM-tree for each replica index: the paper's naïve baseline. */
  MLSM,
  /** One LSM-tree for everything, as stock Cassandra does. */
  UNIFORM
}
