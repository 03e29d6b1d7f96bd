package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.measure.RingReading;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.TableSetup;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/** Runs an experiment on a cluster of its own and judges every row at the end. */
public final class Lab {
  private static final String ROUND = "lab";

  private final Experiment experiment;
  private final String scale;
  private final long seed;
  private final LabCluster cluster;
  private final Progress progress;
  private final RunListener listener;
  private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());

  /** A run that has not started anything yet. */
  public Lab(
      Experiment experiment,
      String scale,
      long seed,
      LabCluster cluster,
      Progress progress,
      RunListener listener) {
    this.experiment = experiment;
    this.scale = scale;
    this.seed = seed;
    this.cluster = cluster;
    this.progress = progress;
    this.listener = listener;
  }

  /**
   * Runs everything; the cluster is stopped afterwards.
   *
   * @throws TimeoutException if a table's compaction does not come to rest
   */
  public LabResult run() throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    try (RunningLab running = RunningLab.start(cluster, progress)) {
      WorkloadSpec workload = WorkloadSpec.of(experiment.rows(), 0, seed);
      Map<String, TableRun> tables = create(running, workload, start);
      String keyspace = TableSetup.table(experiment.tables().get(0), ROUND).keyspace();
      listener.started(experiment, RingReading.of(running.nodes(), keyspace));
      List<BlockResult> blocks =
          new ExperimentRun(experiment, tables, running.nodes(), progress, listener, seed).run();
      CheckOutcome check = check(tables);
      LabResult result =
          new LabResult(
              LabResult.SCHEMA,
              experiment.name(),
              experiment.paper(),
              experiment.title(),
              scale,
              Environment.describe(workload, experiment.tables(), running.session()),
              blocks,
              List.copyOf(samples),
              Figures.of(experiment.aims(), blocks, scale, seed),
              check.checked(),
              check.lost(),
              check.wrong(),
              check.unread(),
              Duration.ofNanos(System.nanoTime() - start).toSeconds());
      listener.finished(result);
      return result;
    }
  }

  private Map<String, TableRun> create(RunningLab running, WorkloadSpec workload, long start) {
    Map<String, TableRun> tables = new LinkedHashMap<>();
    for (Arm arm : experiment.tables()) {
      TableRef table = TableSetup.table(arm, ROUND);
      running.tables().create(table, arm);
      PairClient client = new PairClient(running.session(), table, workload, experiment.capacity());
      TableProbe probe = new TableProbe(running.nodes(), table);
      tables.put(arm.name(), new TableRun(arm, client, probe, start, this::sampled));
    }
    return tables;
  }

  private void sampled(Sample sample) {
    samples.add(sample);
    listener.sampled(sample);
  }

  private CheckOutcome check(Map<String, TableRun> tables) {
    CheckOutcome sum = CheckOutcome.NONE;
    for (TableRun table : tables.values()) {
      LongConsumer step = progress.step(table.arm().name() + " check", experiment.rows());
      sum =
          sum.plus(ReadBack.of(table.client(), DefaultConsistencyLevel.QUORUM, step))
              .plusWrong(table.wrong());
    }
    sum.examples().forEach(progress::say);
    return sum;
  }
}
