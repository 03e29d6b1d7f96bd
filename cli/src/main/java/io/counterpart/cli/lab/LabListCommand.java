package io.counterpart.cli.lab;

import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.run.Experiment;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code counterpart lab list}. */
@Command(
    name = "list",
    description = "Lists the experiments.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:listed"})
final class LabListCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    PrintWriter out = spec.commandLine().getOut();
    for (String name : Experiments.names()) {
      Experiment experiment = Experiments.named(name, LabScale.SMOKE);
      out.printf("%-14s %s (%s)%n", name, experiment.title(), experiment.paper());
    }
    out.flush();
    return 0;
  }
}
