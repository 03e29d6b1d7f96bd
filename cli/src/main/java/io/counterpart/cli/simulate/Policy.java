package io.counterpart.cli.simulate;

import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.runs.Tiered;

/** The run policies by the names of the table option {@code run_policy}. */
enum Policy {
  MERGE_ALL,
  TIERED;

  RunPolicy withRuns(int runs) {
    return switch (this) {
      case MERGE_ALL -> new MergeAll(runs);
      case TIERED -> new Tiered(runs);
    };
  }
}
