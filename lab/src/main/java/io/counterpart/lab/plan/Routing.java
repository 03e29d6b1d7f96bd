package io.counterpart.lab.plan;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.layout.Snitches;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.ReadRouting;
import org.jspecify.annotations.Nullable;

/**
 * The routing of reads: stock, to the primary first, or to a redundant copy; and whether
 * coordinators decide about their consistency levels. Switched while the nodes run, so that all
 * read the same data.
 */
public enum Routing {
  /**
   * What production clusters run: the client sends to any replica, which reads its own copy unless
   * latencies say otherwise.
   */
  STOCK(Routing.PRODUCTION_SNITCH, true, ReadRouting.ANY_REPLICA, ""),
  /** The client sends to the primary replica, and every coordinator prefers it: NR. */
  PRIMARY_FIRST(Snitches.PRIMARY_FIRST, false, ReadRouting.PRIMARY_REPLICA, "+pf"),
  /** The same, and the consistency query handler decides about the levels of reads: NR and CR. */
  PRIMARY_FIRST_CONSISTENT(Snitches.PRIMARY_FIRST, false, ReadRouting.PRIMARY_REPLICA, "+pf+cr"),
  /**
   * The client sends to any replica, however slow; the dynamic snitch leaves the coordinator's own
   * copy when it is over twice as slow as the best: Cassandra's default.
   */
  DYNAMIC_10(Routing.PRODUCTION_SNITCH, 1.0, ReadRouting.SHUFFLED_REPLICAS, "+ds10"),
  /** The same with a dynamic snitch that leaves it when it is over a tenth slower than the best. */
  DYNAMIC_01(Routing.PRODUCTION_SNITCH, 0.1, ReadRouting.SHUFFLED_REPLICAS, "+ds01"),
  /**
   * The client sends to any replica, and coordinators ask nodes of class memory, read and write in
   * this order: nodes of several engine classes, started with that order.
   */
  ENGINE_CLASSES(Snitches.PRIMARY_FIRST, false, ReadRouting.ANY_REPLICA, "+classes"),
  /** The client sends to the row's second replica, which reads its own copy. */
  REDUNDANT(Routing.PRODUCTION_SNITCH, false, ReadRouting.REDUNDANT_REPLICA, "+redundant");

  private static final String PRODUCTION_SNITCH =
      "org.apache.cassandra.locator.GossipingPropertyFileSnitch";

  private final String snitch;
  private final boolean dynamic;
  private final @Nullable Double badness;
  private final ReadRouting client;
  private final String suffix;

  Routing(String snitch, boolean dynamic, ReadRouting client, String suffix) {
    this.snitch = snitch;
    this.dynamic = dynamic;
    this.badness = null;
    this.client = client;
    this.suffix = suffix;
  }

  Routing(String snitch, double badness, ReadRouting client, String suffix) {
    this.snitch = snitch;
    this.dynamic = true;
    this.badness = badness;
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

  /** Whether coordinators choose the nearest replica, and note when they switch: NR. */
  public boolean choosesNearest() {
    return snitch.equals(Snitches.PRIMARY_FIRST);
  }

  /** Whether coordinators decide about the consistency levels of reads: CR. */
  public boolean decidesLevels() {
    return this == PRIMARY_FIRST_CONSISTENT;
  }

  /**
   * Makes every coordinator route so from now on. Nodes that somebody else runs keep their snitch:
   * there the client's part of the routing is all. A badness threshold once set stays in force for
   * {@link #STOCK} too, until the nodes end.
   *
   * @throws IllegalStateException if levels shall be decided, and the nodes cannot
   */
  public void apply(RunningLab running) {
    running.decideLevels(decidesLevels());
    ConnectedNodes nodes = running.nodes();
    for (Node node : nodes.local()) {
      nodes
          .jmx(node)
          .invoke(
              "org.apache.cassandra.db:type=StorageService",
              "updateSnitch",
              new Object[] {snitch, dynamic, null, null, badness},
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
