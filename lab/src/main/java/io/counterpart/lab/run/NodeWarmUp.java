package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.ObservedNode;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
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
 * A warm-up: loads one table for each strategy and engine, unmeasured, and reads and updates it
 * until the nodes' compilers have little left to do; otherwise the first arm pays for compiling the
 * nodes' code, and a cluster of many processes, each of which compiles all of it, pays most. Small
 * stages have none.
 */
final class NodeWarmUp {
  private static final int MIN_CAPACITY = 50_000;
  private static final int ROWS = 20_000;
  private static final ConsistencyLevels ONE =
      new ConsistencyLevels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);
  private static final int MOST_ROUNDS = 20;
  // compilers are never idle: what is seldom run is compiled in the end
  private static final int SHARE_OF_BUSIEST = 8;

  private final RunningLab running;
  private final Stage stage;
  private final WorkloadSpec workload;
  private final Progress progress;
  private final ConsistencyLevels levels;
  private long busiestMillis;
  private int rounds;

  NodeWarmUp(RunningLab running, Stage stage, WorkloadSpec workload, Progress progress) {
    this.running = running;
    this.stage = stage;
    this.workload = workload;
    this.progress = progress;
    this.levels = levels(stage);
  }

  /** Those that are measured first: other levels run other code. */
  private static ConsistencyLevels levels(Stage stage) {
    return stage.steps().stream()
        .filter(Step.Blocks.class::isInstance)
        .map(step -> ((Step.Blocks) step).levels())
        .findFirst()
        .orElse(ONE);
  }

  /** Returns what was done, for people. */
  String run() {
    if (!isWorthIt(stage)) {
      return "none";
    }
    Map<String, LabTable> oneOfEach = new LinkedHashMap<>();
    stage
        .tables()
        .forEach(
            table ->
                oneOfEach.putIfAbsent(
                    table.arm().engine().isEmpty()
                        ? table.arm().strategy()
                        : table.arm().memtable(),
                    table));
    for (LabTable table : oneOfEach.values()) {
      warmUp(table);
    }
    return "%d rounds of %d reads and as many updates".formatted(rounds, ROWS / 2);
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
    boolean warm = false;
    for (int round = 0; round < MOST_ROUNDS && !warm; round++) {
      long before = compiledMillis();
      readAndUpdate(client, label, workload.seed() + round);
      long compiled = compiledMillis() - before;
      busiestMillis = Math.max(busiestMillis, compiled);
      warm = compiled < busiestMillis / SHARE_OF_BUSIEST;
      rounds++;
    }
    tables.drop(table);
  }

  private void readAndUpdate(PairClient client, String label, long seed) {
    for (OperationMix mix : new OperationMix[] {OperationMix.READS, OperationMix.UPDATES}) {
      Phase phase = new Phase(mix, ROWS / 2, levels, ReadRouting.ANY_REPLICA, 0, seed);
      client.run(phase, (key, value) -> {}, progress.step(label, ROWS / 2));
    }
  }

  /** Time that the compilers of all nodes have been at work, waits for a core included. */
  private long compiledMillis() {
    ConnectedNodes nodes = running.nodes();
    long millis = 0;
    for (ObservedNode node : nodes.nodes()) {
      millis += nodes.jmx(node).sum("java.lang:type=Compilation", "TotalCompilationTime");
    }
    return millis;
  }
}
