package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.lab.measure.ConnectedNodes;

/** Who serves a read. Switched while the nodes run, so that the same data is read under each. */
public enum Routing {
  /** What production clusters run: the coordinator and its rack first, corrected by latencies. */
  STOCK("org.apache.cassandra.locator.GossipingPropertyFileSnitch", true),
  /** The primary replica first. */
  PRIMARY_FIRST("io.counterpart.cassandra.locator.PrimaryFirstSnitch", false);

  private final String snitch;
  private final boolean dynamic;

  Routing(String snitch, boolean dynamic) {
    this.snitch = snitch;
    this.dynamic = dynamic;
  }

  /** Makes every node route so from now on. */
  void apply(ConnectedNodes nodes) {
    for (Node node : nodes.nodes()) {
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
