package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.Experiment;
import io.counterpart.lab.run.LabPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab run}. */
@Command(
    name = "run",
    description = {
      "Runs an experiment on a 5-node cluster of its own, or with --contact-points on yours,",
      "and writes its files:",
      "result.json, figures.json, report.html and latencies.hlog (HdrHistogram log, tags phase/arm/kind).",
      "Arms run in alternating blocks; figures are medians of ratios between neighbouring blocks."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whether or not the figures reach what was asked",
      "1:values lost, wrong or unreadable, or the run broke off; what was measured is kept",
      "2:unknown experiment, scale or arm, or bad option: nothing was started",
      "3:a port in use, too little memory or disk, a cluster that does not answer or that cannot be"
          + " worked on: nothing was started or touched",
      "130:stopped by Ctrl-C; no process is left, nor a keyspace of the run; what was measured is"
          + " kept"
    })
final class LabRunCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

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
    LabPlan plan = plan();
    keep.check();
    Installation installation = Installation.locate();
    Path directory =
        keep.directory(installation.root().resolve("target/lab").resolve(plan.experiment().name()));
    LabResult result =
        new RecordedRun(plan, directory, keep.bundle())
            .run(
                ClusterChoice.of(remote, installation, command().commandLine()),
                live,
                command().commandLine());
    return result.clean() ? 0 : 1;
  }

  private LabPlan plan() {
    try {
      Experiment whole = Experiments.named(name, LabScale.named(scale));
      Experiment chosen = arms.isEmpty() ? whole : whole.withArms(arms);
      return KeptPlan.of(chosen, scale, client.seed(), client.shape(), client.settings());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    return spec;
  }
}
