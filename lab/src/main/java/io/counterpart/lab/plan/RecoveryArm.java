package io.counterpart.lab.plan;

import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.setup.LabTable;

/**
 * One side of a comparison of recoveries: a table and its recovery method.
 *
 * @param table how the table is compacted and replicated
 * @param method how it is restored
 */
public record RecoveryArm(LabTable table, RecoveryMethod method) {
  /** Stable name: the table's with the way's. */
  public String name() {
    return table.name() + "+" + method.label();
  }
}
