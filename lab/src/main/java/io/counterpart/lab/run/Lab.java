package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.TableSetup;
import io.counterpart.lab.setup.ThrowawayCluster;
import io.counterpart.lab.workload.LabSession;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Runs an experiment on a cluster of its own and judges every row at the end. */
public final class Lab {
  private final Experiment experiment;
  private final String scale;
  private final long seed;
  private final LabCluster cluster;
  private final Progress progress;

  /** A run that has not started anything yet. */
  public Lab(
      Experiment experiment, String scale, long seed, LabCluster cluster, Progress progress) {
    this.experiment = experiment;
    this.scale = scale;
    this.seed = seed;
    this.cluster = cluster;
    this.progress = progress;
  }

  /**
   * Runs everything; the cluster is stopped afterwards.
   *
   * @throws TimeoutException if a table's compaction does not come to rest
   */
  public LabResult run() throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    progress.say("starting %d Cassandra nodes".formatted(LabCluster.NODES));
    try (ThrowawayCluster running = ThrowawayCluster.start(cluster);
        ConnectedNodes nodes = new ConnectedNodes(running.nodes());
        CqlSession session = LabSession.open(running.nodes())) {
      WorkloadSpec workload = WorkloadSpec.of(experiment.rows(), 0, seed);
      Map<String, TableRun> tables = create(session, nodes, workload);
      List<BlockResult> blocks = new ExperimentRun(experiment, tables, nodes, progress, seed).run();
      Check check = check(tables);
      return new LabResult(
          LabResult.SCHEMA,
          experiment.name(),
          experiment.paper(),
          experiment.title(),
          scale,
          Environment.describe(workload, experiment.tables(), session),
          blocks,
          Figures.of(experiment.aims(), blocks, scale, seed),
          check.checked,
          check.lost,
          check.wrong,
          check.unread,
          Duration.ofNanos(System.nanoTime() - start).toSeconds());
    }
  }

  private Map<String, TableRun> create(
      CqlSession session, ConnectedNodes nodes, WorkloadSpec workload) {
    TableSetup setup =
        new TableSetup(
            session, nodes.nodes().get(0).location().dc(), LabCluster.REPLICATION_FACTOR);
    Map<String, TableRun> tables = new LinkedHashMap<>();
    for (Arm arm : experiment.tables()) {
      TableRef table = TableSetup.table(arm, "lab");
      setup.create(table, arm);
      PairClient client = new PairClient(session, table, workload, experiment.capacity());
      tables.put(arm.name(), new TableRun(arm, table, client, nodes));
    }
    return tables;
  }

  private Check check(Map<String, TableRun> tables) {
    Check sum = new Check();
    for (TableRun table : tables.values()) {
      CheckOutcome outcome =
          ReadBack.of(
              table.client(),
              DefaultConsistencyLevel.QUORUM,
              progress.step(table.arm().name() + " check", experiment.rows()));
      sum.checked += outcome.checked();
      sum.lost += outcome.lost();
      sum.wrong += outcome.wrong() + table.wrong();
      sum.unread += outcome.unread();
      new ArrayList<>(outcome.examples()).forEach(progress::say);
    }
    return sum;
  }

  /** Running sums of verdicts. */
  private static final class Check {
    private long checked;
    private long lost;
    private long wrong;
    private long unread;
  }
}
