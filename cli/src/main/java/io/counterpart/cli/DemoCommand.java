package io.counterpart.cli;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Paragraph;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.console.ScheduledProgress;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.ThrowawayHome;
import io.counterpart.lab.bench.Demo;
import io.counterpart.lab.bench.DemoPlan;
import io.counterpart.lab.bench.DemoSchedule;
import io.counterpart.lab.report.DemoConclusion;
import io.counterpart.lab.report.DemoTable;
import io.counterpart.lab.result.DemoSummary;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.StepSchedule;
import io.counterpart.lab.tier.TierDemo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart demo}. */
@Command(
    name = "demo",
    description = {
      "Shows decoupled replicas beside stock compaction on a cluster of its own:",
      "loads the same rows into three tables, checks every value, wipes a node, recovers it, checks again.",
      "Then shows the memory tier on memcached servers of its own: kills as many as the code tolerates,",
      "reads every object, adds servers, reads every object again. Skips that part, and says so, where",
      "memcached is not installed."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value and every object was read back intact",
      "1:values lost, wrong or unreadable, or the run broke off",
      "2:bad option",
      "3:a port in use, too little memory or disk, or no memcached for --part tier: nothing was"
          + " started",
      "130:stopped by Ctrl-C; no process is left"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int WIDTH = 80;

  @Spec private CommandSpec command;

  @Option(
      names = "--rows",
      description = "rows of each table, 1000 to 10000000; default: 40000",
      paramLabel = "N")
  private int rows = 40_000;

  @Option(
      names = "--updates",
      description = "updates of each table, 0 to 10000000; default: 15000",
      paramLabel = "N")
  private int updates = 15_000;

  @Option(names = "--nodes", description = "nodes, 3 to 10; default: 5", paramLabel = "N")
  private int nodes = LabCluster.NODES;

  @Option(names = "--seed", description = "repeats keys and values; default: 1", paramLabel = "N")
  private long seed = 1;

  @Option(
      names = "--part",
      description = "cassandra or tier, that one alone; default: both",
      paramLabel = "PART")
  private @Nullable Part part;

  @Option(
      names = "--out",
      description = "directory for summary.json, and for nodes meanwhile; default: target/demo",
      paramLabel = "DIR")
  private @Nullable Path out;

  @Option(names = "--json", description = "print the summary as JSON instead of a table")
  private boolean json;

  /** What can be shown. */
  private enum Part {
    CASSANDRA,
    TIER
  }

  @Override
  public Integer call() throws Exception {
    DemoPlan plan = plan();
    Installation installation = Installation.locate();
    Path target =
        out == null ? installation.root().resolve("target/demo") : out.toAbsolutePath().normalize();
    Path home = target.resolve("cluster");
    // the demo begins by deleting what a stopped cluster has left there
    if (out != null && part != Part.TIER && !ThrowawayHome.take(home)) {
      throw new PreconditionException(
          "--out %s has a cluster in %s, whose data would be deleted: name another directory"
              .formatted(out, home));
    }
    LabCluster lab = new LabCluster(home, installation.serverLib(), installation.pluginJar());
    DemoSummary summary = DemoSummary.NONE;
    try (ScheduledProgress progress = ScheduledProgress.standardError(schedule(plan))) {
      if (part != Part.TIER) {
        summary = new Demo(plan, lab, progress).run();
      }
      if (part != Part.CASSANDRA) {
        Path tier = tierDirectory(target, out != null);
        summary = summary.with(new TierDemo(tier, seed, progress).run().orElse(null));
        if (out != null && summary.memoryTier() == null) {
          Files.deleteIfExists(tier);
        }
      }
    }
    Path file = target.resolve("summary.json");
    ResultJson results = new ResultJson();
    results.write(file, summary);
    PrintWriter console = command.commandLine().getOut();
    if (json) {
      console.println(results.render(summary));
    } else {
      print(console, summary, file);
    }
    console.flush();
    return exitCode(summary);
  }

  /**
   * Where the tier keeps its files, which the demo deletes before it begins and after it has ended:
   * a new one in a directory that somebody has named, since what that holds is not the demo's.
   */
  static Path tierDirectory(Path target, boolean isNamed) throws IOException {
    return isNamed
        ? Files.createTempDirectory(Files.createDirectories(target), "tier-")
        : target.resolve("tier");
  }

  /** Nothing is intact where nothing was shown. */
  static int exitCode(DemoSummary summary) {
    if (summary.arms().isEmpty() && summary.memoryTier() == null) {
      return ExitCodes.PRECONDITION;
    }
    return summary.clean() ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  private static void print(PrintWriter out, DemoSummary summary, Path file) {
    out.println();
    if (!summary.arms().isEmpty()) {
      out.println(DemoTable.text(summary.arms()));
    }
    TierDemoSummary tier = summary.memoryTier();
    if (tier != null) {
      print(out, tier);
      out.println();
    }
    DemoConclusion.of(summary).forEach(sentence -> out.println(Paragraph.wrapped(sentence, WIDTH)));
    out.printf("%nAll figures: %s%n", file);
  }

  private static void print(PrintWriter out, TierDemoSummary tier) {
    out.printf(
        "Memory tier: %d objects of %d bytes under a %s code on %d memcached servers%n",
        tier.objects(), tier.valueBytes(), tier.code(), tier.servers());
    out.printf(
        "  %d servers killed: every object read, %d by decoding%n",
        tier.killed(), tier.degradedReads());
    out.printf("  started again empty: %d objects restored%n", tier.restoredObjects());
    out.printf(
        "  %d servers added: %d objects moved, every object read again%n",
        tier.added(), tier.movedObjects());
  }

  private StepSchedule schedule(DemoPlan plan) {
    List<StepSchedule.Step> steps = new ArrayList<>();
    if (part != Part.TIER) {
      steps.addAll(DemoSchedule.cassandra(plan));
    }
    if (part != Part.CASSANDRA) {
      steps.addAll(TierDemo.schedule());
    }
    return new StepSchedule(steps);
  }

  private DemoPlan plan() {
    try {
      return new DemoPlan(rows, updates, nodes, seed, Demo.arms());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
