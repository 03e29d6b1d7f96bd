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
import io.counterpart.lab.tier.TierLab;
import io.counterpart.lab.tier.TierPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
  private static final String REPLAY = "-replay";

  @Spec private CommandSpec command;

  @Parameters(
      paramLabel = "RUN",
      description = "a bundle, a directory of lab run, or a result.json")
  private Path source = Path.of("");

  @Mixin private final KeepOptions keep = new KeepOptions();

  @ArgGroup private LiveOptions live = new LiveOptions();

  @ArgGroup(exclusive = false, heading = "%nOn a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  /** What was run again. */
  private record Replayed(LabResult result, Path directory) {}

  @Override
  public Integer call() throws Exception {
    LabResult then = read();
    if (Experiments.ofStaleReads(then.experiment(), LabScale.SMOKE).isPresent()) {
      throw refused(
          "%s: of cells of stale reads: replay runs experiments with arms; lab run %s --scale %s --seed %s does the same again"
              .formatted(source, then.experiment(), then.scale(), then.config().get("seed")),
          null);
    }
    Optional<TierPlan> tier = plan(() -> KeptPlan.ofTier(then));
    Replayed now = tier.isPresent() ? onTier(then, tier.get()) : onCluster(then);
    PrintWriter out = command.commandLine().getOut();
    out.println();
    out.print(
        ComparisonTables.text(
            Comparison.of(then, now.result()), source.toString(), now.directory().toString()));
    out.flush();
    return now.result().clean() ? 0 : 1;
  }

  private Replayed onCluster(LabResult then) throws Exception {
    LabPlan plan = plan(() -> KeptPlan.of(then));
    String name = plan.experiment().name() + REPLAY;
    keep.checkSpares(source, usual(name));
    CommandLine console = command.commandLine();
    ClusterRun run = ClusterRun.prepare(name, keep, remote, console);
    Map<String, Object> now = new LinkedHashMap<>(Environment.machine());
    now.put("cassandra", run.installation().cassandraVersion().orElse("unknown"));
    announce(then, plan.seed(), plan.experiment().armNames(), now);
    return new Replayed(run.run(plan, live, console), run.directory());
  }

  private Replayed onTier(LabResult then, TierPlan plan) throws Exception {
    if (remote != null) {
      throw refused(
          "--contact-points: experiments on Cassandra have it; %s is of the memory tier"
              .formatted(then.experiment()),
          null);
    }
    String name = plan.experiment().name() + REPLAY;
    keep.checkSpares(source, usual(name));
    TierRun run = TierRun.prepare(name, keep);
    announce(then, plan.seed(), plan.experiment().armNames(), TierLab.environment());
    return new Replayed(run.run(plan, live, command.commandLine()), run.record().directory());
  }

  /** Where the result goes unless an option says otherwise. */
  private static Path usual(String name) {
    return LabDirectory.of(Installation.locate()).resolve(name);
  }

  private void announce(LabResult then, long seed, List<String> arms, Map<String, Object> now) {
    Map<String, Object> before = new LinkedHashMap<>(then.config());
    before.keySet().retainAll(now.keySet());
    PrintWriter err = command.commandLine().getErr();
    err.printf(
        "replaying %s: %s, scale %s, seed %d, arms %s%n",
        source, then.experiment(), then.scale(), seed, String.join(", ", arms));
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

  private <T> T plan(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw refused("%s: cannot be replayed: %s".formatted(source, e.getMessage()), e);
    }
  }

  private ParameterException refused(@Nullable String message, @Nullable Exception cause) {
    return new ParameterException(command.commandLine(), String.valueOf(message), cause);
  }
}
