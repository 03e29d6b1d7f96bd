package io.counterpart.lab.run;

import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.setup.RunningLab;
import java.util.Map;

/**
 * A stage with its cluster, limits and tables; closing it gives the cluster back.
 *
 * @param tables by their names
 * @param steps what is to be run
 */
record StageSite(
    Stage stage,
    RunningLab running,
    RegimeControl regimes,
    Map<String, TableRun> tables,
    StageRun steps)
    implements AutoCloseable {

  @Override
  public void close() {
    try {
      regimes.close();
    } finally {
      running.close();
    }
  }
}
