package io.counterpart.cli.lab;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab publish}. */
@Command(
    name = "publish",
    description = {
      "Writes figures, phases and configuration of runs as plain JSON, DIR/EXPERIMENT.json each,",
      "for a repository. Samples and latency histograms are left out. Nothing is started."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:written",
      "2:not a run, damaged, broken off, or two of one experiment: nothing was written"
    })
final class LabPublishCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "bundles, directories or result files of lab run or bench")
  private List<Path> runs = List.of();

  @Option(
      names = "--into",
      required = true,
      description = "directory, made if absent",
      paramLabel = "DIR")
  private Path into = Path.of("");

  @Override
  public Integer call() throws IOException {
    List<LabResult> results = runs.stream().map(this::read).toList();
    Set<String> names = new HashSet<>();
    for (LabResult result : results) {
      if (!names.add(result.experiment())) {
        throw new ParameterException(
            spec.commandLine(),
            "two runs of %s: each would be %s.json"
                .formatted(result.experiment(), result.experiment()));
      }
    }
    for (LabResult result : results) {
      Path file = into.resolve(result.experiment() + ".json");
      new ResultJson().publish(file, result);
      spec.commandLine()
          .getOut()
          .printf("%s: %,d bytes, clean: %s%n", file, Files.size(file), result.clean());
    }
    return 0;
  }

  private LabResult read(Path run) {
    try {
      LabResult result = StoredRun.read(run);
      if (result.brokenOff().isPresent()) {
        throw new ParameterException(
            spec.commandLine(),
            "%s: broken off: %s; only whole runs are published"
                .formatted(run, result.brokenOff().get()));
      }
      return result;
    } catch (UnreadableRunException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
