package io.counterpart.lab.plan;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.setup.LabTable;

/**
 * One side of a comparison: a table, the routing of its reads, and the tokens of the nodes that
 * keep it. Arms with the same table and tokens read the same data, so that routing and layout can
 * be told apart.
 *
 * @param table how the table is compacted and replicated
 * @param routing who serves reads
 * @param placement where the tokens of the cluster lie
 */
public record ExperimentArm(LabTable table, Routing routing, Placement placement) {
  /** An arm on a cluster with the lab's usual tokens. */
  public ExperimentArm(LabTable table, Routing routing) {
    this(table, routing, Placement.EVEN);
  }

  /** Stable name: the table's, with tokens and routing where these are not the usual ones. */
  public String name() {
    String tokens = placement == Placement.EVEN ? "" : "+" + placement;
    return table.name() + tokens + routing.suffix();
  }
}
