package io.counterpart.cli.lab;

import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.cluster.Installation;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.live.LivePage;
import io.counterpart.lab.report.LabTables;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.run.Experiment;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab run}. */
@Command(
    name = "run",
    description = {
      "Runs an experiment on a 5-node cluster of its own and writes result.json and figures.json.",
      "Arms run in alternating blocks; figures are medians of ratios between neighbouring blocks."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whether or not the figures reach what was asked",
      "1:values lost, wrong or unreadable, or the run broke off",
      "2:unknown experiment or scale, or bad option; nothing was started",
      "3:a port in use, too little memory or disk: nothing was started",
      "130:stopped by Ctrl-C; no process is left"
    })
final class LabRunCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "an experiment of lab list")
  private String name = "";

  @Option(
      names = "--scale",
      description = "smoke (minutes), small or full; default: small",
      paramLabel = "SCALE")
  private String scale = "small";

  @Option(
      names = "--out",
      description = "directory for the result; default: target/lab/NAME",
      paramLabel = "DIR")
  private @Nullable Path out;

  @Option(names = "--seed", description = "repeats keys and values; default: 1", paramLabel = "N")
  private long seed = 1;

  @ArgGroup private LiveOptions live = new LiveOptions();

  @Override
  public Integer call() throws Exception {
    Experiment experiment = experiment();
    Installation installation = Installation.locate();
    Path directory =
        out == null
            ? installation.root().resolve("target/lab").resolve(experiment.name())
            : out.toAbsolutePath();
    LabCluster cluster =
        new LabCluster(
            installation.root().resolve("target/lab/cluster"),
            installation.serverLib(),
            installation.pluginJar());
    LabResult result;
    try (TerminalProgress terminal = TerminalProgress.standardError();
        LivePage page = live.open(command().commandLine().getErr())) {
      Progress progress = page == null ? terminal : page.with(terminal);
      RunListener listener = page == null ? RunListener.DEAF : page;
      result = new Lab(experiment, scale, seed, cluster, progress, listener).run();
    }
    ResultJson json = new ResultJson();
    json.write(directory.resolve("result.json"), result);
    json.write(directory.resolve("figures.json"), Map.of("figures", result.figures()));
    print(result, directory);
    return result.clean() ? 0 : 1;
  }

  private void print(LabResult result, Path directory) {
    PrintWriter writer = command().commandLine().getOut();
    writer.println();
    writer.println(LabTables.phases(result.blocks()));
    writer.println(LabTables.figures(result.figures()));
    writer.printf(
        "%d values checked byte by byte: %d lost, %d wrong, %d unread; %d s; %s%n",
        result.checked(),
        result.lost(),
        result.wrong(),
        result.unread(),
        result.seconds(),
        directory);
    writer.flush();
  }

  private Experiment experiment() {
    try {
      return Experiments.named(name, LabScale.named(scale));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    return spec;
  }
}
