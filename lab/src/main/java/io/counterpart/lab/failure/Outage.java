package io.counterpart.lab.failure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.lab.measure.ConnectedNodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A deliberate crash of one node, until it serves again. Readings leave the node out meanwhile.
 * Used by one thread.
 *
 * <p>Paper: DEPART §5.2, Experiments 6 and 7.
 */
public final class Outage {
  private static final Duration SEEN_LIMIT = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String HINTS = "org.apache.cassandra.hints:type=HintsService";

  private final ConnectedNodes nodes;
  private final Node node;

  private Outage(ConnectedNodes nodes, Node node) {
    this.nodes = nodes;
    this.node = node;
  }

  /** Kills a node; the others find out by themselves. */
  public static Outage of(ConnectedNodes nodes, Node node) {
    nodes.leaveOut(node);
    node.kill();
    return new Outage(nodes, node);
  }

  /** A node for each of many outages: another one each time, never the first, everyone's seed. */
  public static Node victim(ConnectedNodes nodes, int outage) {
    List<Node> all = nodes.all();
    return all.get(1 + outage % (all.size() - 1));
  }

  /**
   * Returns when every other node sees it down, and so asks it no more.
   *
   * @throws TimeoutException if one does not after two minutes
   */
  public void awaitSeen() throws TimeoutException {
    long deadline = System.nanoTime() + SEEN_LIMIT.toNanos();
    while (!nodes.local().stream().allMatch(this::seenBy)) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "%s is dead, but not every node sees that after %s".formatted(node, SEEN_LIMIT));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private boolean seenBy(Node other) {
    Object unreachable = nodes.jmx(other).attribute(STORAGE, "UnreachableNodes");
    return ((List<?>) unreachable).contains(node.address());
  }

  /** Deletes the node's data, and hints that would bring some of it back; it keeps its tokens. */
  public void wipe() {
    node.wipe();
    hints("deleteAllHints");
  }

  /**
   * Deletes what the others keep for the node to catch up with: a repair shall bring it. What they
   * have not put on disk yet stays, so that they hand nothing over from now on.
   */
  public void withholdHints() {
    hints("pauseDispatch");
    hints("deleteAllHints");
  }

  private void hints(String operation) {
    for (Node other : nodes.local()) {
      nodes.jmx(other).invoke(HINTS, operation, new Object[0], new String[0]);
    }
  }

  /** Starts the node; returns when it serves and is measured again. */
  public void end() {
    node.start(StartListener.SILENT);
    nodes.takeBack(node);
  }
}
