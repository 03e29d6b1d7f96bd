package io.counterpart.recovery;

import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.util.List;

/**
 * Puts a new node in the place of a dead one of a cluster on this machine. The new node streams all
 * ranges while it joins; Cassandra does not let that be cut into steps or resumed.
 */
public final class Replacement {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";

  private Replacement() {}

  /**
   * Refuses where a replacement is impossible; touches nothing.
   *
   * @throws RecoveryRefusedException if the node runs, owns no token, or a node is joining, or is
   *     about to take its tokens
   */
  public static void require(Cluster cluster, Node dead) {
    if (dead.isAlive()) {
      throw new RecoveryRefusedException(dead + " runs; only a dead node can be replaced");
    }
    Node witness =
        cluster.nodes().stream()
            // one that is paused answers nobody
            .filter(Node::isRunning)
            .findFirst()
            .orElseThrow(() -> new RecoveryRefusedException("no node of the cluster runs"));
    // the others hear of a replacement only some twenty seconds after its process has begun
    if (cluster.isReplaced(dead)) {
      throw new RecoveryRefusedException(
          dead
              + " was replaced, or a node is about to take its place, perhaps from an interrupted"
              + " replacement; wait until counterpart status shows that one NORMAL and recover it"
              + " by its own index");
    }
    try (NodeJmx jmx = witness.jmx()) {
      List<?> joining = (List<?>) jmx.attribute(STORAGE, "JoiningNodes");
      if (!joining.isEmpty()) {
        throw new RecoveryRefusedException(
            joining
                + " is joining already, perhaps from an interrupted replacement;"
                + " wait until counterpart status shows it NORMAL and recover it by its own index");
      }
      if (!jmx.tokenOwners().contains(dead.address())) {
        throw new RecoveryRefusedException(
            dead + " owns no token: it was replaced or removed already");
      }
    }
  }

  /**
   * Starts the new node; returns when it serves.
   *
   * @throws RecoveryRefusedException as {@link #require}
   */
  public static Node replace(Cluster cluster, Node dead, StartListener listener) {
    require(cluster, dead);
    return cluster.replaceNode(dead.index(), listener);
  }
}
