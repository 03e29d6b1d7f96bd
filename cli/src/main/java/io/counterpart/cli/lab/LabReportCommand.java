package io.counterpart.cli.lab;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.LabResult;
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

/** {@code counterpart lab report}. */
@Command(
    name = "report",
    description = {
      "Makes the report of a run: one HTML file with charts, readable offline.",
      "lab run writes it at its end; this makes it again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the report was written",
      "1:it could not be written",
      "2:no run there, it is damaged, or its schema is another; nothing was written"
    })
final class LabReportCommand implements Callable<Integer> {
  /** The report's name in a run's directory. */
  static final String REPORT = "report.html";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "directory, bundle or result.json of a run")
  private Path run = Path.of("");

  @Option(
      names = "--out",
      description = "file for the report; default: report.html in or beside RUN",
      paramLabel = "FILE")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    LabResult result;
    try {
      result = StoredRun.read(run);
    } catch (UnreadableRunException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Path beside = Files.isDirectory(run) ? run.resolve(REPORT) : run.resolveSibling(REPORT);
    Path target = out == null ? beside : out;
    HtmlReport.write(target, result);
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(target);
    writer.flush();
    return 0;
  }
}
