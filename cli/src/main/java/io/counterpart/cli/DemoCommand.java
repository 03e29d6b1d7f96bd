package io.counterpart.cli;

import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.cluster.Installation;
import io.counterpart.lab.experiment.Demo;
import io.counterpart.lab.experiment.DemoPlan;
import io.counterpart.lab.report.ArmTable;
import io.counterpart.lab.result.DemoSummary;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.tier.TierDemo;
import java.io.PrintWriter;
import java.nio.file.Path;
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
      "Shows decoupled replicas next to stock compaction on a cluster of its own:",
      "loads the same rows into three tables, checks every value, wipes one node, recovers it, checks again.",
      "Then the memory tier on memcached servers of its own: kills as many as its code bears, reads every"
          + " object, adds servers, reads every object again. Without memcached it says so and leaves that"
          + " out."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every value and every object was read back intact",
      "1:values lost, wrong or unreadable, or the run broke off",
      "2:bad option",
      "3:a port in use, too little memory or disk: nothing was started",
      "130:stopped by Ctrl-C; no process is left"
    })
final class DemoCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--rows", description = "rows of each table; default: 40000", paramLabel = "N")
  private int rows = 40_000;

  @Option(
      names = "--updates",
      description = "updates of each table; default: 15000",
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
    LabCluster lab =
        new LabCluster(
            target.resolve("cluster"), installation.serverLib(), installation.pluginJar());
    DemoSummary summary = DemoSummary.NONE;
    try (TerminalProgress progress = TerminalProgress.standardError()) {
      if (part != Part.TIER) {
        summary = new Demo(plan, lab, progress).run();
      }
      if (part != Part.CASSANDRA) {
        summary =
            summary.with(new TierDemo(target.resolve("tier"), seed, progress).run().orElse(null));
      }
    }
    Path file = target.resolve("summary.json");
    ResultJson results = new ResultJson();
    results.write(file, summary);
    PrintWriter console = command().commandLine().getOut();
    if (json) {
      console.println(results.render(summary));
    } else {
      print(console, summary, file);
    }
    console.flush();
    return summary.clean() ? 0 : 1;
  }

  private static void print(PrintWriter out, DemoSummary summary, Path file) {
    out.println();
    if (!summary.arms().isEmpty()) {
      out.println(ArmTable.text(summary.arms()));
      out.printf(
          "%d values checked byte by byte: %d lost, %d wrong, %d unread; %d s; %s%n",
          summary.checked(),
          summary.lost(),
          summary.wrong(),
          summary.unread(),
          summary.seconds(),
          file);
    }
    TierDemoSummary tier = summary.memoryTier();
    if (tier != null) {
      print(out, tier);
    }
  }

  private static void print(PrintWriter out, TierDemoSummary tier) {
    out.printf(
        "memory tier %s: %d objects of %d bytes on %d memcached servers%n",
        tier.code(), tier.objects(), tier.valueBytes(), tier.servers());
    out.printf(
        "%d of them killed: every object read, %d by decoding; %d restored to them when they came back empty%n",
        tier.killed(), tier.degradedReads(), tier.restoredObjects());
    out.printf(
        "%d servers added: %d objects moved, every object read%n",
        tier.added(), tier.movedObjects());
    out.printf(
        "%d objects checked byte by byte: %d lost, %d wrong, %d unread; %d s%n",
        tier.checked(), tier.lost(), tier.wrong(), tier.unread(), tier.seconds());
  }

  private DemoPlan plan() {
    try {
      return new DemoPlan(rows, updates, nodes, seed, Demo.arms());
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
