package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.measure.RingReading;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.plan.FittedExperiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.StageNeeds;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.profile.FlightRecorder;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.WantedNodes;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/** Runs an experiment, each stage on a cluster of its own, and judges every row at its end. */
public final class Lab implements LabRun {
  private final LabPlan plan;
  private final List<String> skipped;
  private final ClusterSource cluster;
  private final RunRecord record;
  private final Progress progress;
  private final RunListener listener;

  /**
   * A run that has not started anything yet.
   *
   * @throws io.counterpart.lab.setup.RunRefusedException if the cluster has another number of nodes
   *     than the experiment needs, or cannot be set as the plan wants, or have none of its engines
   */
  public Lab(LabPlan plan, ClusterSource cluster, Progress progress, RunListener listener) {
    FittedExperiment fitted =
        FittedExperiment.of(plan.experiment(), cluster.fixedNodes(), cluster.engines());
    this.plan = plan.with(fitted.experiment());
    skipped = fitted.skipped();
    this.cluster = cluster.with(plan.settings());
    this.record = new RunRecord(this.plan);
    this.progress = new CountedProgress(progress, fitted.experiment().blocks(), record::blocks);
    this.listener = listener;
  }

  /**
   * Runs everything, once; each cluster is given back after its stage. What no stage could run with
   * is found out before the first.
   *
   * @throws TimeoutException if a table's compaction does not come to rest
   */
  @Override
  public LabResult run() throws IOException, InterruptedException, TimeoutException {
    skipped.forEach(progress::say);
    for (Stage stage : plan.experiment().stages()) {
      ClientMemory.require(stage, Runtime.getRuntime().maxMemory());
      cluster.require(StageNeeds.of(stage, plan.client()), progress);
    }
    for (List<Stage> round : plan.experiment().rounds()) {
      run(round);
    }
    LabResult result = record.result();
    listener.finished(result);
    return result;
  }

  @Override
  public LabResult brokenOff(String reason) {
    return record.brokenOff(reason);
  }

  private void run(List<Stage> round) throws IOException, InterruptedException, TimeoutException {
    List<StageSite> sites = new ArrayList<>();
    try {
      for (Stage stage : round) {
        sites.add(open(stage));
      }
      SideBySide.run(sites.stream().map(StageSite::steps).toList());
      for (StageSite site : sites) {
        describeMemory(site);
        site.regimes().lift();
        record.add(check(site.tables()));
      }
    } finally {
      close(sites);
    }
  }

  /** Every one, also if one before it fails. */
  private static void close(List<StageSite> sites) {
    if (!sites.isEmpty()) {
      try {
        sites.get(0).close();
      } finally {
        close(sites.subList(1, sites.size()));
      }
    }
  }

  private StageSite open(Stage stage) throws IOException, InterruptedException {
    WantedNodes nodes =
        new WantedNodes(
            stage.nodes(),
            stage.placement(),
            stage.decidesLevels(),
            stage.engines(),
            stage.servers());
    RunningLab running = cluster.open(nodes, progress);
    RegimeControl regimes = null;
    try {
      regimes = new RegimeControl(running.nodes(), stage.servers(), stage.isLimited(), progress);
      return begin(stage, running, regimes);
    } catch (RuntimeException | Error e) {
      if (regimes != null) {
        regimes.close();
      }
      running.close();
      throw e;
    }
  }

  private StageSite begin(Stage stage, RunningLab running, RegimeControl regimes) {
    WorkloadSpec workload = WorkloadSpec.of(stage.capacity(), plan.seed(), plan.client());
    describe(stage, workload, running, regimes);
    String warmUp = new NodeWarmUp(running, stage, workload, progress).run();
    record.describe(
        "warmUps",
        Map.of("%d nodes %s".formatted(stage.nodes(), stage.servers().name()).strip(), warmUp));
    // until here it was on, so that its code is warm; tables are loaded past it
    running.decideLevels(false);
    Map<String, TableRun> tables = create(running, stage, workload);
    String keyspace = stage.tables().get(0).ref().keyspace();
    RingSummary ring = RingSummary.of(RingReading.of(running.nodes(), keyspace));
    record.describe(Map.of(RingSummary.KEY, ring));
    if (stage.placement() != Placement.EVEN) {
      record.describe("rings", Map.of(stage.placement().toString(), ring.describe()));
    }
    listener.started(RunOutline.of(plan.experiment(), ring));
    StageContext context =
        new StageContext(stage, tables, running, regimes, progress, this::measured, workload);
    return new StageSite(stage, running, regimes, tables, new StageRun(context));
  }

  private void describeMemory(StageSite site) {
    if (site.stage().servers().isSideBySide()) {
      long mebibytes = site.regimes().processBytes() >> 20;
      record.describe("serverProcessMebibytes", Map.of(site.stage().servers().name(), mebibytes));
    }
  }

  private void describe(
      Stage stage, WorkloadSpec workload, RunningLab running, RegimeControl regimes) {
    if (!record.isDescribed()) {
      record.describe(Environment.describe(workload, running, plan.experiment().compactions()));
      record.describe(Map.of("arms", plan.experiment().armNames()));
      if (!skipped.isEmpty()) {
        record.describe(Map.of("skipped", skipped));
      }
      record.describe(plan.origin());
    }
    Map<String, Object> phases = new LinkedHashMap<>();
    Disturbance disturbance = Disturbance.NONE;
    for (Step step : stage.steps()) {
      if (step instanceof Step.Disturb disturb) {
        disturbance = disturb.by();
      } else if (step instanceof Step.Blocks phase) {
        phases.put(name(stage, phase), regimes.describe(phase.regime(), disturbance));
      } else if (step instanceof Step.Limited phase) {
        phases.put(name(stage, phase), regimes.describe(phase.regime()));
      }
    }
    if (stage.steps().contains(new Step.Profile())) {
      record.describe(Map.of("breakdown", FlightRecorder.describe()));
    }
    if (stage.decidesLevels()) {
      record.describe(
          "consistencyHandler",
          Map.of(stage.placement().toString(), "its defaults; off but for arms with +cr"));
    }
    List<String> engines = plan.experiment().engines();
    if (!engines.isEmpty()) {
      record.describe(Map.of(LabResult.ENGINES, engines));
    }
    record.describe("regimes", phases);
    record.describe(Map.of("nodes", stage.nodes()));
    if (stage.servers().isSideBySide()) {
      record.describe("servers", Map.of(stage.servers().name(), stage.servers().describe()));
    }
  }

  /** Of a phase in the description: servers of several shapes have limits of their own. */
  private static String name(Stage stage, Step.Limited phase) {
    String shape = stage.servers().name();
    return shape.isEmpty() ? phase.phase() : "%s, %s".formatted(shape, phase.phase());
  }

  private Map<String, TableRun> create(RunningLab running, Stage stage, WorkloadSpec workload) {
    Map<String, TableRun> tables = new LinkedHashMap<>();
    for (LabTable table : stage.tables()) {
      running.tables(table.replicationFactor()).create(table.ref(), table.arm());
      PairClient client = new PairClient(running.session(), table.ref(), workload);
      TableProbe probe = new TableProbe(running.nodes(), table.ref());
      tables.put(
          table.name(), new TableRun(table, client, probe, record.startNanos(), this::sampled));
    }
    return tables;
  }

  private void measured(BlockResult block) {
    record.add(block);
    listener.measured(block);
  }

  private void sampled(Sample sample) {
    record.add(sample);
    listener.sampled(sample);
  }

  private CheckOutcome check(Map<String, TableRun> tables) {
    CheckOutcome sum = CheckOutcome.NONE;
    for (TableRun run : tables.values()) {
      LongConsumer step = progress.step(run.table().name() + " check", run.client().rows());
      sum =
          sum.plus(ReadBack.of(run.client(), DefaultConsistencyLevel.ALL, step))
              .plusWrong(run.wrong())
              .plus(run.checked());
    }
    sum.examples().forEach(progress::say);
    return sum;
  }
}
