package io.counterpart.cli;

import io.counterpart.lab.report.ArmTable;
import io.counterpart.lab.report.FigureTable;
import io.counterpart.lab.result.BenchResult;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "what bench decoupling --json wrote")
  private Path file = Path.of("");

  @Option(names = "--markdown", description = "as Markdown")
  private boolean markdown;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    BenchResult result = read(spec);
    PrintWriter out = spec.commandLine().getOut();
    if (markdown) {
      out.println(FigureTable.markdown(result.figures()));
      out.print(ArmTable.markdown(result.arms()));
    } else {
      out.println(FigureTable.text(result.figures()));
      out.print(ArmTable.text(result.arms()));
    }
    out.flush();
    return 0;
  }

  private BenchResult read(CommandSpec command) {
    if (!Files.isRegularFile(file)) {
      throw new ParameterException(
          command.commandLine(), "file '%s': does not exist".formatted(file));
    }
    try {
      return new ResultJson().read(file, BenchResult.class);
    } catch (IOException e) {
      throw new ParameterException(
          command.commandLine(), "file '%s': is no result of bench decoupling".formatted(file), e);
    }
  }
}
