package io.counterpart.cli.lab;

import io.counterpart.cli.console.Output;
import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.report.ComparisonTables;
import io.counterpart.lab.result.compare.Comparison;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab compare}. */
@Command(
    name = "compare",
    description = {
      "Compares two runs of the same experiment, phase by phase and arm by arm.",
      "Each is a bundle, a directory of lab run, or a result.json. Nothing is started or written."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:compared, whatever the verdicts",
      "2:not a run, damaged, or of another version; different experiments; nothing in common"
    })
final class LabCompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private final Output output = new Output();

  @Parameters(index = "0", paramLabel = "A", description = "the first run: ratios are B ÷ A")
  private Path a = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "the second run")
  private Path b = Path.of("");

  @Override
  public Integer call() {
    Comparison comparison;
    try {
      comparison = Comparison.of(StoredRun.read(a), StoredRun.read(b));
    } catch (UnreadableRunException | IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    output.result(
        comparison, ComparisonTables.text(comparison, a.toString(), b.toString()).stripTrailing());
    return 0;
  }
}
