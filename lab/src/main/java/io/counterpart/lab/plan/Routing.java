package io.counterpart.lab.plan;

import io.counterpart.cluster.Node;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.ReadRouting;

/**
 * The routing of reads: stock, to the primary first, or to a redundant copy. Switched while the
 * nodes run, so that both read the same data.
 */
public enum Routing {
  /**
   * What production clusters run: the client sends to any replica, which reads its own copy unless
   * latencies say otherwise.
   */
  STOCK(Routing.PRODUCTION_SNITCH, true, ReadRouting.ANY_REPLICA, ""),
  /** The client sends to the primary replica, and every coordinator prefers it. */
  PRIMARY_FIRST(
      "io.counterpart.cassandra.locator.PrimaryFirstSnitch",
      false,
      ReadRouting.PRIMARY_REPLICA,
      "+pf"),
  /** The client sends to the row's second replica, which reads its own copy. */
  REDUNDANT(Routing.PRODUCTION_SNITCH, false, ReadRouting.REDUNDANT_REPLICA, "+redundant");

  private static final String PRODUCTION_SNITCH =
      "org.apache.cassandra.locator.GossipingPropertyFileSnitch";

  private final String snitch;
  private final boolean dynamic;
  private final ReadRouting client;
  private final String suffix;

  Routing(String snitch, boolean dynamic, ReadRouting client, String suffix) {
    this.snitch = snitch;
    this.dynamic = dynamic;
    this.client = client;
    this.suffix = suffix;
  }

  /** What the name of an arm with this routing ends with. */
  String suffix() {
    return suffix;
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
