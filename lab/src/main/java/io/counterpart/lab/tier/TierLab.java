package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.CountedProgress;
import io.counterpart.lab.run.LabRun;
import io.counterpart.lab.run.RunHeader;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.run.RunRecord;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.tier.arm.Scratch;
import io.counterpart.lab.tier.database.LazyDatabase;
import io.counterpart.memcached.MemcachedProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs an experiment of the memory tier, stage by stage, and reads every object back. */
public final class TierLab implements LabRun {
  private final TierPlan plan;
  private final Path home;
  private final RunRecord record;
  private final Progress progress;
  private final RunListener listener;

  /**
   * A run that has not started anything yet.
   *
   * @param home directory of the tiers' files during the run
   */
  public TierLab(TierPlan plan, Path home, Progress progress, RunListener listener) {
    this.listener = listener;
    this.plan = plan;
    this.home = home;
    TierExperiment experiment = plan.experiment();
    this.record =
        new RunRecord(
            new RunHeader(
                experiment.name(),
                experiment.paper(),
                experiment.title(),
                plan.scale(),
                plan.seed(),
                experiment.blocks(),
                experiment.aims(),
                blocks -> List.of()));
    this.progress = new CountedProgress(progress, experiment.blocks(), record::blocks);
  }

  /**
   * Runs everything, once.
   *
   * @throws RunRefusedException if there is no memcached
   */
  @Override
  public LabResult run() throws IOException {
    TierExperiment experiment = plan.experiment();
    record.describe(description());
    listener.started(
        new RunOutline(
            experiment.name(),
            experiment.paper(),
            experiment.title(),
            experiment.armNames(),
            experiment.blocks(),
            SampledMeasure.OF_TIERS,
            null));
    Scratch.clearDead(home);
    Path own = home.resolve(String.valueOf(ProcessHandle.current().pid()));
    try (LazyDatabase database = new LazyDatabase(own.resolve("database"), progress)) {
      StageContext context =
          new StageContext(plan.seed(), own, record, progress, listener, database);
      for (TierStage stage : experiment.stages()) {
        stage.run(context);
      }
    } finally {
      Scratch.clear(own);
    }
    LabResult result = record.result();
    listener.finished(result);
    return result;
  }

  @Override
  public LabResult brokenOff(String reason) {
    return record.brokenOff(reason);
  }

  private Map<String, Object> description() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", plan.seed());
    config.put("arms", plan.experiment().armNames());
    config.put("heapMegabytes", Runtime.getRuntime().maxMemory() >> 20);
    config.put(
        "load",
        "one connection to the proxy, closed loop; proxy, client and servers share the machine");
    config.putAll(environment());
    return config;
  }

  /**
   * What a run depends on that is known before it starts: memcached, the coder, this version, Java,
   * and the machine.
   *
   * @throws RunRefusedException if there is no memcached
   */
  public static Map<String, Object> environment() {
    MemcachedProgram memcached =
        MemcachedProgram.find("memcached")
            .orElseThrow(
                () ->
                    new RunRefusedException(
                        "there is no memcached: install " + MemcachedProgram.ADVICE));
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("memcached", memcached.version());
    environment.put("coding", CodingLibrary.load().toString());
    environment.putAll(Environment.machine());
    return environment;
  }
}
