package io.counterpart.cli;

import io.counterpart.lab.bench.DecouplingBench;
import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.report.ArmTable;
import io.counterpart.lab.report.DocumentTables;
import io.counterpart.lab.result.LabResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart bench table}. */
@Command(
    name = "table",
    description = "Prints the tables of a result file, so that documents quote what was measured.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:no such file, or not a result"})
final class BenchTableCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "what bench decoupling --json wrote")
  private Path file = Path.of("");

  @Option(names = "--markdown", description = "as Markdown")
  private boolean markdown;

  @Override
  public Integer call() {
    LabResult result = read();
    PrintWriter out = spec.commandLine().getOut();
    out.println(new DocumentTables(markdown).figures(List.of(result)));
    out.print(markdown ? ArmTable.markdown(result) : ArmTable.text(result));
    out.flush();
    return 0;
  }

  private LabResult read() {
    try {
      LabResult result = StoredRun.read(file);
      if (!result.experiment().equals(DecouplingBench.NAME)) {
        throw new ParameterException(
            spec.commandLine(),
            "%s: a result of %s, must be of %s"
                .formatted(file, result.experiment(), DecouplingBench.NAME));
      }
      return result;
    } catch (UnreadableRunException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
