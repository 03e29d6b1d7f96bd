package io.counterpart.lab.run;

import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the steps of a stage run with.
 *
 * @param stage what is to be run
 * @param tables by their names; they exist and are empty at first
 * @param running the cluster
 * @param regimes limits of its nodes
 * @param progress told each step
 * @param onBlock told every measured block, in order
 * @param workload seed and rate
 */
record StageContext(
    Stage stage,
    Map<String, TableRun> tables,
    RunningLab running,
    RegimeControl regimes,
    Progress progress,
    Consumer<BlockResult> onBlock,
    WorkloadSpec workload) {
  /** Keeps the tables. */
  StageContext {
    tables = Map.copyOf(tables);
  }
}
