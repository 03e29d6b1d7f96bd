package io.counterpart.lab.bench;

import io.counterpart.lab.workload.WorkloadSpec;

/**
 * The work of every arm.
 *
 * @param workload inserts and updates
 * @param reads CL=ONE reads of each burst, 100 to 10,000,000
 */
record LoadPlan(WorkloadSpec workload, int reads) {
  LoadPlan {
    if (reads < 100 || reads > 10_000_000) {
      throw new IllegalArgumentException("reads %d: must be 100 to 10000000".formatted(reads));
    }
  }
}
