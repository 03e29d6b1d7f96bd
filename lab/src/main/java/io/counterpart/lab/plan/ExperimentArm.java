package io.counterpart.lab.plan;

import io.counterpart.lab.setup.LabTable;

/**
 * One side of a comparison: a table and the routing of its reads. Arms with the same table read the
 * same data, so that routing and layout can be told apart.
 *
 * @param table how the table is compacted and replicated
 * @param routing who serves reads
 */
public record ExperimentArm(LabTable table, Routing routing) {
  /** Stable name: the table's, with the routing's where that is not stock. */
  public String name() {
    return table.name() + routing.suffix();
  }
}
