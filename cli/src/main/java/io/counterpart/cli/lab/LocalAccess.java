package io.counterpart.cli.lab;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.lab.remote.RemoteAccess;
import java.util.List;
import java.util.OptionalInt;

/** The local cluster, looked at as any other: by its contact points. */
public final class LocalAccess {
  private LocalAccess() {}

  /**
   * The nodes that run.
   *
   * @throws PreconditionException if none does
   */
  public static RemoteAccess of(HomeOption home) {
    List<ContactPoint> points =
        home.running().nodes().stream()
            .filter(Node::isRunning)
            .map(node -> new ContactPoint(node.address(), node.cqlPort()))
            .toList();
    if (points.isEmpty()) {
      throw new PreconditionException("every node under " + home.path() + " is paused");
    }
    return new RemoteAccess(points, null, null, OptionalInt.empty(), null);
  }
}
