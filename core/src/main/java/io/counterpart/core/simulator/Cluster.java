package io.counterpart.core.simulator;

/**
 * The cluster that the keys spread over.
 *
 * @param nodes 1 to 1000
 * @param tokens virtual nodes of one node, 1 to 1024
 * @param replicationFactor copies of each key, 1 to {@code nodes}
 */
public record Cluster(int nodes, int tokens, int replicationFactor) {
  public Cluster {
    Legal.between("nodes", nodes, 1, 1000);
    Legal.between("tokens", tokens, 1, 1024);
    Legal.between("rf", replicationFactor, 1, nodes);
  }

  /** Range groups of redundant copies on one node: one for each range of each other primary. */
  int redundantGroups() {
    return (replicationFactor - 1) * tokens;
  }
}
