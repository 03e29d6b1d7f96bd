package io.counterpart.cli.lab;

import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.FormatsExperiment;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart bench formats}: the lab's experiment of that name. */
@Command(
    name = "formats",
    description = {
      "Measures formats by role on a 5-node cluster of its own: disk, reads by role, recovery.",
      "The same as lab run formats; writes result.json, figures.json and report.html."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whether or not the figures reach what was asked",
      ClusterRun.BROKEN_OFF,
      "2:bad option: nothing was started",
      ClusterRun.REFUSED,
      ClusterRun.INTERRUPTED
    })
public final class BenchFormatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      description = "smoke (minutes), small (up to an hour) or full; default: small",
      paramLabel = "SCALE")
  private String scale = "small";

  @Mixin private final KeepOptions keep = new KeepOptions();

  @Mixin private final ClientOptions client = new ClientOptions();

  @ArgGroup private LiveOptions live = new LiveOptions();

  @Override
  public Integer call() throws Exception {
    LabPlan plan = plan();
    return ClusterRun.prepare(FormatsExperiment.NAME, keep, null, spec.commandLine())
            .run(plan, live, spec.commandLine())
            .clean()
        ? 0
        : 1;
  }

  private LabPlan plan() {
    try {
      return KeptPlan.of(
          Experiments.named(FormatsExperiment.NAME, LabScale.named(scale)),
          scale,
          client.seed(),
          client.shape(
              Experiments.valuesOf(FormatsExperiment.NAME),
              Experiments.threadsOf(FormatsExperiment.NAME)),
          client.settings());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
