package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.measure.RingReading;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.PairClient;
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

/** Runs an experiment, each stage on a cluster of its own, and judges every row at its end. */
public final class Lab {
  // as many as the paper's client has threads (DEPART §5.1)
  private static final int IN_FLIGHT = 50;

  private final Experiment experiment;
  private final List<String> skipped;
  private final String scale;
  private final long seed;
  private final ClusterSource cluster;
  private final Progress progress;
  private final RunListener listener;
  private final long startNanos = System.nanoTime();
  private final List<BlockResult> blocks = new ArrayList<>();
  private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Object> config = new LinkedHashMap<>();
  private CheckOutcome check = CheckOutcome.NONE;

  /**
   * A run that has not started anything yet.
   *
   * @throws io.counterpart.lab.setup.RunRefusedException if the cluster has another number of nodes
   *     than the experiment needs
   */
  public Lab(
      Experiment experiment,
      String scale,
      long seed,
      ClusterSource cluster,
      Progress progress,
      RunListener listener) {
    FittedExperiment fitted = FittedExperiment.of(experiment, cluster.fixedNodes());
    this.experiment = fitted.experiment();
    skipped = fitted.skipped();
    this.scale = scale;
    this.seed = seed;
    this.cluster = cluster;
    this.progress = progress;
    this.listener = listener;
  }

  /**
   * Runs everything, once; each cluster is given back after its stage. What no stage could run with
   * is found out before the first.
   *
   * @throws TimeoutException if a table's compaction does not come to rest
   */
  public LabResult run() throws IOException, InterruptedException, TimeoutException {
    skipped.forEach(progress::say);
    for (Stage stage : experiment.stages()) {
      ClientMemory.require(stage, Runtime.getRuntime().maxMemory());
      cluster.require(StageNeeds.of(stage), progress);
    }
    for (Stage stage : experiment.stages()) {
      run(stage);
    }
    LabResult result =
        new LabResult(
            LabResult.SCHEMA,
            experiment.name(),
            experiment.paper(),
            experiment.title(),
            scale,
            config,
            blocks,
            List.copyOf(samples),
            Figures.of(experiment.aims(), blocks, scale, seed),
            check.checked(),
            check.lost(),
            check.wrong(),
            check.unread(),
            Duration.ofNanos(System.nanoTime() - startNanos).toSeconds());
    listener.finished(result);
    return result;
  }

  private void run(Stage stage) throws IOException, InterruptedException, TimeoutException {
    try (RunningLab running = cluster.open(stage.nodes(), progress);
        RegimeControl regimes = new RegimeControl(running.nodes(), stage.isLimited(), progress)) {
      WorkloadSpec workload = WorkloadSpec.of(stage.capacity(), 0, seed).withInFlight(IN_FLIGHT);
      if (config.isEmpty()) {
        config.putAll(Environment.describe(workload, experiment.compactions(), running.session()));
        config.put("arms", experiment.armNames());
        if (!skipped.isEmpty()) {
          config.put("skipped", skipped);
        }
        config.putAll(running.description());
      }
      describe(stage, regimes);
      new ServerWarmUp(running, stage, seed, progress).run();
      Map<String, TableRun> tables = create(running, stage, workload);
      String keyspace = stage.tables().get(0).ref().keyspace();
      listener.started(experiment, RingReading.of(running.nodes(), keyspace));
      new StageRun(stage, tables, running.nodes(), regimes, progress, this::measured, seed).run();
      regimes.lift();
      check = check.plus(check(tables));
    }
  }

  private void describe(Stage stage, RegimeControl regimes) {
    Map<String, Object> phases = new LinkedHashMap<>();
    for (Step step : stage.steps()) {
      if (step instanceof Step.Blocks phase) {
        phases.put(phase.phase(), regimes.describe(phase.regime()));
      }
    }
    config.merge("regimes", phases, Lab::joined);
    config.merge("nodes", stage.nodes(), (before, now) -> now);
  }

  @SuppressWarnings("unchecked")
  private static Object joined(Object before, Object now) {
    Map<String, Object> all = new LinkedHashMap<>((Map<String, Object>) before);
    all.putAll((Map<String, Object>) now);
    return all;
  }

  private Map<String, TableRun> create(RunningLab running, Stage stage, WorkloadSpec workload) {
    Map<String, TableRun> tables = new LinkedHashMap<>();
    for (LabTable table : stage.tables()) {
      running.tables(table.replicationFactor()).create(table.ref(), table.arm());
      PairClient client = new PairClient(running.session(), table.ref(), workload);
      TableProbe probe = new TableProbe(running.nodes(), table.ref());
      tables.put(table.name(), new TableRun(table, client, probe, startNanos, this::sampled));
    }
    return tables;
  }

  private void measured(BlockResult block) {
    blocks.add(block);
    listener.measured(block);
  }

  private void sampled(Sample sample) {
    samples.add(sample);
    listener.sampled(sample);
  }

  private CheckOutcome check(Map<String, TableRun> tables) {
    CheckOutcome sum = CheckOutcome.NONE;
    for (TableRun run : tables.values()) {
      LongConsumer step = progress.step(run.table().name() + " check", run.client().rows());
      sum =
          sum.plus(ReadBack.of(run.client(), DefaultConsistencyLevel.ALL, step))
              .plusWrong(run.wrong());
    }
    sum.examples().forEach(progress::say);
    return sum;
  }
}
