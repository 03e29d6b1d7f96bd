package io.counterpart.cli.lab;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.report.DocumentTables;
import io.counterpart.lab.result.LabResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab figures}. */
@Command(
    name = "figures",
    description = {
      "Prints the figures of runs in one table, what each arm did in each phase, where the",
      "nodes' time went, and curves, so that documents quote what was measured. Nothing is",
      "started or written."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:not a run, or damaged"})
final class LabFiguresCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "bundles, directories or result.json of lab run")
  private List<Path> runs = List.of();

  @Option(names = "--markdown", description = "as Markdown")
  private boolean markdown;

  @Override
  public Integer call() {
    List<LabResult> results = new ArrayList<>();
    try {
      for (Path run : runs) {
        results.add(StoredRun.read(run));
      }
    } catch (UnreadableRunException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    DocumentTables tables = new DocumentTables(markdown);
    PrintWriter out = spec.commandLine().getOut();
    out.println(tables.figures(results));
    for (LabResult result : results) {
      Stream.of(
              tables.phases(result),
              tables.latencies(result),
              tables.requests(result),
              tables.costs(result),
              tables.breakdown(result),
              tables.curves(result))
          .filter(table -> !table.isEmpty())
          .forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
