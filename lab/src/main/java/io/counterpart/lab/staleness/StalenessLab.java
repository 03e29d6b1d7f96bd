package io.counterpart.lab.staleness;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.CountedProgress;
import io.counterpart.lab.run.LabRun;
import io.counterpart.lab.run.RunHeader;
import io.counterpart.lab.run.RunRecord;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs an experiment on stale reads, stage by stage, and reads every row back. */
public final class StalenessLab implements LabRun {
  private static final String DELAYS =
      "each node applies each write from another node after an exponential delay of its own"
          + " (inbound MUTATION_REQ, rescheduled by a query handler of the plugin); reads, and a"
          + " coordinator's own copy, are not delayed";

  private final StalenessPlan plan;
  private final Places places;
  private final RunRecord record;
  private final Progress progress;

  /**
   * Where things are.
   *
   * @param home directory for everything that the cluster writes
   * @param serverLib directory of Cassandra's jars
   * @param pluginJar the plugin
   * @param cassandra version of Cassandra, for the result
   */
  public record Places(Path home, Path serverLib, Path pluginJar, String cassandra) {}

  /** A run that has not started anything yet. */
  public StalenessLab(StalenessPlan plan, Places places, Progress progress) {
    this.plan = plan;
    this.places = places;
    StalenessExperiment experiment = plan.experiment();
    record =
        new RunRecord(
            new RunHeader(
                experiment.name(),
                experiment.paper(),
                experiment.title(),
                plan.scale(),
                plan.seed(),
                experiment.blocks(),
                List.of(),
                StalenessCurves::of));
    this.progress = new CountedProgress(progress, experiment.blocks(), record::blocks);
  }

  @Override
  public LabResult run() throws IOException, InterruptedException {
    record.describe(description());
    NodeSetup setup = plan.experiment().nodes();
    progress.say("starting %d Cassandra nodes".formatted(setup.nodes()));
    try (FaultyNodes nodes =
        FaultyNodes.start(setup, places.home(), places.serverLib(), places.pluginJar())) {
      StageTools tools = new StageTools(nodes, record, progress);
      for (StalenessStage stage : plan.experiment().stages()) {
        stage.run(tools);
      }
    }
    return withFigures(record.result());
  }

  @Override
  public LabResult brokenOff(String reason) {
    return withFigures(record.brokenOff(reason));
  }

  private LabResult withFigures(LabResult result) {
    return result.withFigures(StalenessFigures.of(result.blocks(), plan.scale(), plan.seed()));
  }

  private Map<String, Object> description() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", plan.seed());
    config.putAll(plan.experiment().nodes().describe());
    config.put("lateWrites", DELAYS);
    config.put("stages", plan.experiment().stages().stream().map(String::valueOf).toList());
    config.put("cassandra", places.cassandra());
    config.putAll(Environment.machine());
    return config;
  }
}
