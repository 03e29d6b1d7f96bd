package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.staleness.StalenessLab;
import io.counterpart.lab.staleness.StalenessPlan;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.TierPlan;
import io.counterpart.lab.workload.ClientShape;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code counterpart lab run}. */
@Command(
    name = "run",
    description = {
      "Runs an experiment on a 5-node cluster of its own, or with --contact-points on yours;",
      "one of the memory tier (echash-…) on memcached servers of its own;",
      "one on stale reads (crs-fig5, crs-fig6, crs-overhead) on 8 or 3 nodes of its own, with no",
      "live page;",
      "and writes its files:",
      "result.json, figures.json, report.html and latencies.hlog (HdrHistogram log, tags phase/arm/kind).",
      "Arms run in alternating blocks; figures are medians of ratios between neighbouring blocks."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whether or not the figures reach what was asked",
      ClusterRun.BROKEN_OFF,
      "2:unknown experiment, scale or arm, or bad option: nothing was started",
      ClusterRun.REFUSED,
      ClusterRun.INTERRUPTED
    })
final class LabRunCommand implements Callable<Integer> {
  private static final List<String> OF_CLUSTERS =
      List.of(
          "--key-size",
          "--value-size",
          "--value-kind",
          "--zipfian",
          "--threads",
          "--rate",
          "--yaml",
          "--contact-points");

  @Spec private CommandSpec command;

  @Parameters(paramLabel = "NAME", description = "an experiment of lab list")
  private String name = "";

  @Option(
      names = "--scale",
      description = "smoke (minutes), small or full; default: small",
      paramLabel = "SCALE")
  private String scale = "small";

  @Mixin private final KeepOptions keep = new KeepOptions();

  @Option(
      names = "--arms",
      split = ",",
      description = "only these of the experiment's arms; default: all",
      paramLabel = "ARM")
  private List<String> arms = List.of();

  @Mixin private final ClientOptions client = new ClientOptions();

  @ArgGroup private LiveOptions live = new LiveOptions();

  @ArgGroup(exclusive = false, heading = "%nOn a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws Exception {
    Optional<TierPlan> tier = tierPlan();
    if (tier.isPresent()) {
      return onTier(tier.get());
    }
    Optional<StalenessPlan> staleReads = staleReadsPlan();
    return staleReads.isPresent() ? onFaultyNodes(staleReads.get()) : onCluster();
  }

  private int onFaultyNodes(StalenessPlan plan) throws Exception {
    keep.check();
    Installation installation = Installation.locate();
    StalenessLab.Places places =
        new StalenessLab.Places(
            LabDirectory.of(installation).resolve("cluster"),
            installation.serverLib(),
            installation.pluginJar(),
            installation.cassandraVersion().orElse("unknown"));
    Path directory = keep.directory(LabDirectory.of(installation).resolve(name));
    LabResult result =
        new RecordedRun(directory, keep.bundle())
            .run(progress -> new StalenessLab(plan, places, progress), command.commandLine());
    return result.clean() ? 0 : 1;
  }

  private int onTier(TierPlan plan) throws Exception {
    LabResult result =
        TierRun.prepare(plan.experiment().name(), keep).run(plan, live, command.commandLine());
    return result.clean() ? 0 : 1;
  }

  private int onCluster() throws Exception {
    LabPlan plan = plan();
    CommandLine console = command.commandLine();
    LabResult result =
        ClusterRun.prepare(plan.experiment().name(), keep, remote, console)
            .run(plan, live, console);
    return result.clean() ? 0 : 1;
  }

  /** Of an experiment of the memory tier, which has servers and a client of its own. */
  private Optional<TierPlan> tierPlan() {
    try {
      Optional<TierExperiment> found = Experiments.ofTier(name, LabScale.named(scale));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      refuse(OF_CLUSTERS, "experiments on Cassandra have it; %s is of the memory tier");
      TierExperiment whole = found.get();
      TierExperiment chosen = arms.isEmpty() ? whole : whole.withArms(arms);
      return Optional.of(new TierPlan(chosen, scale, client.seed()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Of an experiment on stale reads, whose nodes, client and cells are its own. */
  private Optional<StalenessPlan> staleReadsPlan() {
    try {
      Optional<StalenessPlan> found =
          Experiments.ofStaleReads(name, LabScale.named(scale))
              .map(experiment -> new StalenessPlan(experiment, scale, client.seed()));
      if (found.isPresent()) {
        refuse(OF_CLUSTERS, "experiments with arms have it; %s has cells and nodes of its own");
        refuse(List.of("--live"), "experiments with arms have it; %s has cells");
        refuse(List.of("--arms"), "experiments with arms have it; %s has cells");
      }
      return found;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @param reason with a place for the experiment's name
   * @throws IllegalArgumentException if one of the options was given
   */
  private void refuse(List<String> options, String reason) {
    ParseResult given = command.commandLine().getParseResult();
    for (String option : options) {
      if (given.hasMatchedOption(option)) {
        throw new IllegalArgumentException(option + ": " + reason.formatted(name));
      }
    }
  }

  private LabPlan plan() {
    try {
      Experiment whole = Experiments.named(name, LabScale.named(scale));
      Experiment chosen = arms.isEmpty() ? whole : whole.withArms(arms);
      ClientShape shape = client.shape(Experiments.valuesOf(name), Experiments.threadsOf(name));
      Map<String, Object> settings = new LinkedHashMap<>(Experiments.settingsOf(name));
      settings.putAll(client.settings());
      return KeptPlan.of(chosen, scale, client.seed(), shape, settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
