package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.report.ComparisonTables;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.compare.Comparison;
import io.counterpart.lab.result.compare.Difference;
import io.counterpart.lab.setup.Environment;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart lab replay}. */
@Command(
    name = "replay",
    description = {
      "Runs the experiment of a kept run again, with its scale, seed and arms, and compares.",
      "Keys, values and their order are repeated; times are this machine's."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whatever the comparison says",
      ClusterRun.BROKEN_OFF,
      "2:not a run, damaged, of another version, or bad option: nothing was started",
      ClusterRun.REFUSED,
      ClusterRun.INTERRUPTED
    })
final class LabReplayCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "RUN",
      description = "a bundle, a directory of lab run, or a result.json")
  private Path source = Path.of("");

  @Mixin private final KeepOptions keep = new KeepOptions();

  @ArgGroup private LiveOptions live = new LiveOptions();

  @ArgGroup(exclusive = false, heading = "%nOn a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws Exception {
    LabResult then = read();
    if (Experiments.ofTier(then.experiment(), LabScale.SMOKE).isPresent()) {
      throw notReplayed(then, "of the memory tier: replay runs experiments on Cassandra");
    }
    if (Experiments.ofStaleReads(then.experiment(), LabScale.SMOKE).isPresent()) {
      throw notReplayed(then, "of cells of stale reads: replay runs experiments with arms");
    }
    LabPlan plan = plan(then);
    keep.checkSpares(source);
    CommandLine console = command().commandLine();
    ClusterRun run =
        ClusterRun.prepare(plan.experiment().name() + "-replay", keep, remote, console);
    announce(then, plan, run.installation());
    LabResult now = run.run(plan, live, console);
    PrintWriter out = console.getOut();
    out.println();
    out.print(
        ComparisonTables.text(
            Comparison.of(then, now), source.toString(), run.directory().toString()));
    out.flush();
    return now.clean() ? 0 : 1;
  }

  private void announce(LabResult then, LabPlan plan, Installation installation) {
    Map<String, Object> now = new LinkedHashMap<>(Environment.machine());
    now.put("cassandra", installation.cassandraVersion().orElse("unknown"));
    Map<String, Object> before = new LinkedHashMap<>(then.config());
    before.keySet().retainAll(now.keySet());
    PrintWriter err = command().commandLine().getErr();
    err.printf(
        "replaying %s: %s, scale %s, seed %d, arms %s%n",
        source,
        plan.experiment().name(),
        plan.scale(),
        plan.seed(),
        String.join(", ", plan.experiment().armNames()));
    err.println("A is then, B is now");
    err.println(ComparisonTables.differences(Difference.between(before, now)));
    err.flush();
  }

  private LabResult read() {
    try {
      return StoredRun.read(source);
    } catch (UnreadableRunException e) {
      throw refused(e.getMessage(), e);
    }
  }

  private LabPlan plan(LabResult then) {
    try {
      return KeptPlan.of(then);
    } catch (IllegalArgumentException e) {
      throw refused("%s: cannot be replayed: %s".formatted(source, e.getMessage()), e);
    }
  }

  private ParameterException notReplayed(LabResult then, String reason) {
    return refused(
        "%s: %s; lab run %s --scale %s --seed %s does the same again"
            .formatted(source, reason, then.experiment(), then.scale(), then.config().get("seed")),
        null);
  }

  private ParameterException refused(@Nullable String message, @Nullable Exception cause) {
    return new ParameterException(command().commandLine(), String.valueOf(message), cause);
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new IllegalStateException("not started through picocli");
    }
    return spec;
  }
}
