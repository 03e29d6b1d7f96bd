package io.counterpart.lab.experiment;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.Drain;
import io.counterpart.lab.measure.Rebuild;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.workload.TableRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Wipes a node once and recovers the keyspaces of several arms one after another, each alone. */
final class Recovery {
  private static final int WARM_UP_REBUILDS = 10;
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(5);

  private final ConnectedNodes nodes;
  private final Node victim;

  Recovery(ConnectedNodes nodes, Node victim) {
    this.nodes = nodes;
    this.victim = victim;
  }

  /** Stops the node, deletes its data and starts it again, empty, with the same tokens. */
  void wipe() {
    nodes.disconnect(victim);
    victim.stop();
    victim.wipe();
    victim.start(StartListener.SILENT);
  }

  /** Rebuilds a small keyspace over and over, for nothing but compiled code. */
  void warmUp(TableRef table) {
    for (int i = 0; i < WARM_UP_REBUILDS; i++) {
      new Rebuild(nodes, victim).keyspace(table.keyspace());
    }
  }

  /**
   * Rebuilds one keyspace, then lets its compactions end so that they do not slow the next arm's
   * rebuild.
   */
  Rebuild.Outcome rebuild(TableRef table) throws TimeoutException {
    Rebuild.Outcome outcome = new Rebuild(nodes, victim).keyspace(table.keyspace());
    settle(table);
    return outcome;
  }

  private void settle(TableRef table) throws TimeoutException {
    new Drain(new TableProbe(nodes, table), SETTLE_LIMIT).await();
  }

  Node victim() {
    return victim;
  }

  /**
   * The node to wipe in a round: another one each time, never the first, which is everyone's seed.
   */
  static Node victim(List<Node> nodes, int round) {
    return nodes.get(1 + round % (nodes.size() - 1));
  }
}
