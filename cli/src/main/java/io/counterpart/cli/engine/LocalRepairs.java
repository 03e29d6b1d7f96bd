package io.counterpart.cli.engine;

import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.recovery.RecoveryFailedException;
import io.counterpart.recovery.StockRecovery;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Full repairs of a keyspace on the nodes of this machine's cluster, one after the other.
 *
 * @param nodes all of the cluster's
 */
record LocalRepairs(Output output, List<Node> nodes) {

  /**
   * Looks whether every node runs.
   *
   * @throws PreconditionException if one does not
   */
  void requireRunning() {
    for (Node node : nodes) {
      if (!node.isRunning()) {
        throw new PreconditionException(
            node + " does not run: the repair of new copies needs every node");
      }
    }
  }

  /** Whether the last change of a keyspace's mix has been repaired. */
  UnrepairedMix unrepaired(String keyspace) {
    return UnrepairedMix.of(nodes, keyspace);
  }

  /** Whether no node joins or leaves now: one that does may copy what was not repaired yet. */
  boolean isSettled() {
    try (NodeJmx jmx = nodes.get(0).jmx()) {
      for (String which : List.of("JoiningNodes", "LeavingNodes")) {
        Object now = jmx.attribute(NodeJmx.STORAGE_SERVICE, which);
        if (!now.equals(List.of())) {
          output.progress("  %s: %s".formatted(which, now));
          return false;
        }
      }
      return true;
    } catch (UncheckedIOException e) {
      output.progress("  " + e.getMessage());
      return false;
    }
  }

  /**
   * Repairs on every node the ranges of which it is the first replica, and so all ranges once; ends
   * with the first node that fails.
   *
   * @return those that are done
   */
  List<String> run(String keyspace) throws InterruptedException {
    List<String> done = new ArrayList<>();
    for (Node node : nodes) {
      output.progress(
          "repair of %s on %s (%d of %d)".formatted(keyspace, node, done.size() + 1, nodes.size()));
      try (NodeJmx jmx = node.jmx()) {
        StockRecovery.Took took = new StockRecovery(jmx).repairPrimaryRanges(keyspace);
        output.progress(
            "  done in %.1f s, %.1f MB received"
                .formatted(took.seconds(), took.receivedBytes() / 1e6));
      } catch (RecoveryFailedException | UncheckedIOException e) {
        output.progress("  " + e.getMessage());
        return done;
      }
      done.add(node.address());
    }
    return done;
  }
}
