package io.counterpart.lab.plan;

import io.counterpart.cluster.Node;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.ReadRouting;

/**
 * The routing of reads: stock or primary first. Switched while the nodes run, so that both read the
 * same data.
 */
public enum Routing {
  /**
   * What production clusters run: the client sends to any replica, which reads its own copy unless
   * latencies say otherwise.
   */
  STOCK("org.apache.cassandra.locator.GossipingPropertyFileSnitch", true, ReadRouting.ANY_REPLICA),
  /** The client sends to the primary replica, and every coordinator prefers it. */
  PRIMARY_FIRST(
      "io.counterpart.cassandra.locator.PrimaryFirstSnitch", false, ReadRouting.PRIMARY_REPLICA);

  private final String snitch;
  private final boolean dynamic;
  private final ReadRouting client;

  Routing(String snitch, boolean dynamic, ReadRouting client) {
    this.snitch = snitch;
    this.dynamic = dynamic;
    this.client = client;
  }

  public ReadRouting client() {
    return client;
  }

  /**
   * Makes every coordinator route so from now on. Nodes that somebody else runs keep their snitch:
   * there the client's part of the routing is all.
   */
  public void apply(ConnectedNodes nodes) {
    for (Node node : nodes.local()) {
      nodes
          .jmx(node)
          .invoke(
              "org.apache.cassandra.db:type=StorageService",
              "updateSnitch",
              new Object[] {snitch, dynamic, null, null, null},
              new String[] {
                String.class.getName(),
                Boolean.class.getName(),
                Integer.class.getName(),
                Integer.class.getName(),
                Double.class.getName()
              });
    }
  }
}
