package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.TableSetup;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.ReadRouting;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A warm-up: loads one table for each strategy and engine, unmeasured; otherwise the first arm pays
 * for compiling the nodes' code. Small stages have none.
 */
final class NodeWarmUp {
  private static final int MIN_CAPACITY = 50_000;
  private static final int ROWS = 20_000;
  private static final ConsistencyLevels ONE =
      new ConsistencyLevels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);

  private final RunningLab running;
  private final Stage stage;
  private final WorkloadSpec workload;
  private final Progress progress;

  NodeWarmUp(RunningLab running, Stage stage, WorkloadSpec workload, Progress progress) {
    this.running = running;
    this.stage = stage;
    this.workload = workload;
    this.progress = progress;
  }

  void run() {
    if (!isWorthIt(stage)) {
      return;
    }
    Map<String, LabTable> oneOfEach = new LinkedHashMap<>();
    stage
        .tables()
        .forEach(
            table ->
                oneOfEach.putIfAbsent(
                    table.arm().engine().orElseGet(table.arm()::strategy), table));
    for (LabTable table : oneOfEach.values()) {
      warmUp(table);
    }
  }

  /** Whether a stage measures anything worth a warm-up. */
  static boolean isWorthIt(Stage stage) {
    return stage.capacity() >= MIN_CAPACITY;
  }

  private void warmUp(LabTable like) {
    TableSetup tables = running.tables(like.replicationFactor());
    TableRef table = like.warmUpRef();
    tables.create(table, like.arm());
    PairClient client =
        new PairClient(
            running.session(), table, WorkloadSpec.of(ROWS, workload.seed(), workload.shape()));
    String label = like.arm().name() + " warm-up";
    client.insert(ROWS, progress.step(label, ROWS));
    for (OperationMix mix : new OperationMix[] {OperationMix.READS, OperationMix.UPDATES}) {
      Phase phase = new Phase(mix, ROWS / 2, ONE, ReadRouting.ANY_REPLICA, 0, workload.seed());
      client.run(phase, (key, value) -> {}, progress.step(label, ROWS / 2));
    }
    tables.drop(table);
  }
}
