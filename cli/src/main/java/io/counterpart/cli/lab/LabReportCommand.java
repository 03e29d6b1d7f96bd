package io.counterpart.cli.lab;

import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultFile;
import java.io.IOException;
import java.io.PrintWriter;
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
      "Makes a report of DIR/result.json: one HTML file with charts, readable offline.",
      "lab run writes it at its end; this makes it again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the report was written",
      "1:it could not be written",
      "2:no result.json there, it is no result of lab run, or its schema is another; nothing was"
          + " written"
    })
final class LabReportCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "the directory that lab run wrote to")
  private Path directory = Path.of("");

  @Option(
      names = "--out",
      description = "file for the report; default: DIR/report.html",
      paramLabel = "FILE")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    LabResult result;
    try {
      result = LabResultFile.read(directory.resolve("result.json"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Path target = out == null ? directory.resolve("report.html") : out;
    HtmlReport.write(target, result);
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(target);
    writer.flush();
    return 0;
  }
}
