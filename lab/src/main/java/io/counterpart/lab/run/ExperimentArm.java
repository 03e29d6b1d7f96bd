package io.counterpart.lab.run;

import io.counterpart.lab.setup.Arm;

/**
 * One side of a comparison: a table and who serves its reads. Arms with the same table read the
 * same data, so that routing and layout can be told apart.
 *
 * @param table how the table is compacted
 * @param routing who serves reads
 */
public record ExperimentArm(Arm table, Routing routing) {
  /** Stable name: the table's, with the routing's where that is not stock. */
  public String name() {
    return routing == Routing.STOCK ? table.name() : table.name() + "+pf";
  }
}
