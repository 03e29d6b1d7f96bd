package io.counterpart.cli;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.ThrowawayHome;
import io.counterpart.lab.bench.BenchPlan;
import io.counterpart.lab.bench.DecouplingBench;
import io.counterpart.lab.report.ArmTable;
import io.counterpart.lab.report.DocumentTables;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart bench decoupling}. */
@Command(
    name = "decoupling",
    description = {
      "Measures decoupled replicas against stock compaction on a 5-node cluster of its own.",
      "Figures are medians of ratios taken within a round; low and high are the extremes."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value was read back intact, whether or not the figures reach what was asked",
      "1:values lost, wrong or unreadable, or the run broke off",
      "2:bad option",
      "3:a port in use, too little memory or disk: nothing was started",
      "130:stopped by Ctrl-C; no process is left"
    })
final class BenchDecouplingCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--scale",
      description = "smoke (minutes) or full (up to 50 minutes); default: full",
      paramLabel = "SCALE")
  private String scale = "full";

  @Option(names = "--json", description = "write the result to FILE", paramLabel = "FILE")
  private @Nullable Path json;

  @Option(names = "--rounds", description = "rounds, 1 to 9", paramLabel = "N")
  private @Nullable Integer rounds;

  @Option(
      names = "--arms",
      description = "comma-separated: decoupled, decoupled_t4, lcs, ucs_t4, ucs_l10, mlsm",
      paramLabel = "LIST")
  private @Nullable String arms;

  @Option(names = "--rows", description = "rows of each arm", paramLabel = "N")
  private @Nullable Integer rows;

  @Option(names = "--updates", description = "updates of each arm", paramLabel = "N")
  private @Nullable Integer updates;

  @Option(names = "--seed", description = "repeats keys and values; default: 1", paramLabel = "N")
  private long seed = 1;

  @Option(
      names = "--home",
      description = "directory for the cluster; default: target/bench/cluster",
      paramLabel = "DIR")
  private @Nullable Path home;

  @Override
  public Integer call() throws Exception {
    BenchPlan plan = plan();
    takeHome();
    Installation installation = Installation.locate();
    Path directory =
        home == null ? installation.root().resolve("target/bench/cluster") : home.toAbsolutePath();
    boolean plugin = plan.arms().stream().anyMatch(Arm::needsPlugin);
    LabCluster lab =
        new LabCluster(
            directory, installation.serverLib(), plugin ? installation.pluginJar() : null);
    LabResult result;
    try (TerminalProgress progress = TerminalProgress.standardError()) {
      result = new DecouplingBench(plan, scale, lab, progress).run();
    }
    if (json != null) {
      new ResultJson().write(json, result);
    }
    print(result);
    return result.clean() ? 0 : 1;
  }

  /**
   * The bench begins by deleting the data of a stopped cluster in its directory: only of one that
   * it has made itself.
   */
  private void takeHome() throws IOException {
    if (home != null && !ThrowawayHome.take(home)) {
      throw new PreconditionException(
          "--home %s has a cluster, whose data would be deleted: name another directory, or first"
                  .formatted(home)
              + " counterpart down --purge --home "
              + home);
    }
  }

  private void print(LabResult result) {
    PrintWriter out = command.commandLine().getOut();
    out.println();
    out.println(ArmTable.text(result));
    out.println(new DocumentTables(false).figures(List.of(result)));
    out.printf(
        "lost %d, wrong %d, unread %d; %d s%n",
        result.lost(), result.wrong(), result.unread(), result.seconds());
    out.flush();
  }

  private BenchPlan plan() {
    try {
      BenchPlan base = BenchPlan.ofScale(scale, seed);
      List<Arm> chosen = arms == null ? base.arms() : BenchPlan.parseArms(arms);
      return new BenchPlan(
          rows == null ? base.rows() : rows,
          updates == null ? base.updates() : updates,
          base.reads(),
          rounds == null ? base.rounds() : rounds,
          seed,
          chosen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
