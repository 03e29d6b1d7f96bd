package io.counterpart.cli.lab;

import io.counterpart.lab.experiment.Experiments;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
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
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (Experiments.Listing one : Experiments.list()) {
      out.printf("%-17s %s (%s)%n", one.name(), one.title(), one.paper());
    }
    out.flush();
    return 0;
  }
}
