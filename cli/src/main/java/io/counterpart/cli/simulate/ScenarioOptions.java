package io.counterpart.cli.simulate;

import io.counterpart.core.selection.SelectionRules;
import io.counterpart.core.selection.simulator.Scenario;
import io.counterpart.core.selection.simulator.Scenario.Clients;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code counterpart simulate selection} and the scenario that they describe. */
final class ScenarioOptions {
  private static final int MOST_COORDINATORS_BY_DEFAULT = 16;
  private static final double NANOS_A_MILLI = 1e6;

  @Option(
      names = "--nodes",
      defaultValue = "7",
      description = "nodes; --rf to 1000 (default ${DEFAULT-VALUE})")
  int nodes;

  @Option(
      names = "--rf",
      defaultValue = "3",
      description = "replication factor; 1 to 10 (default ${DEFAULT-VALUE})")
  int rf;

  @Option(
      names = "--coordinators",
      defaultValue = "0",
      description =
          "nodes that clients talk to; 1 to --nodes, or 0: all, with --clients any at most 16"
              + " (default)")
  int coordinators;

  @Option(
      names = "--keys",
      converter = KeyCount.class,
      defaultValue = "100K",
      description = "keys, with suffix K or M; 1K to 10M (default ${DEFAULT-VALUE})")
  long keys;

  @Option(
      names = "--zipf",
      defaultValue = "0.99",
      description = "exponent of the keys' popularity; 0 (uniform) to 2 (default ${DEFAULT-VALUE})")
  double zipf;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description =
          "reads that arrive in a second for each node, whatever the nodes do"
              + " (default ${DEFAULT-VALUE})")
  double ratePerNode;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description =
          "simulated seconds that are measured, after a warm-up of half of that; 2 to 3600"
              + " (default ${DEFAULT-VALUE})")
  int seconds;

  @Option(
      names = "--clients",
      description =
          "whom clients send a read to: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}: any"
              + " coordinator)")
  Clients clients = Clients.ANY;

  @Option(
      names = "--hit-micros",
      defaultValue = "200",
      description = "mean time of a read from a node's cache, in µs (default ${DEFAULT-VALUE})")
  double hitMicros;

  @Option(
      names = "--disk-micros",
      defaultValue = "5000",
      description = "mean time that a read from disk adds, in µs (default ${DEFAULT-VALUE})")
  double diskMicros;

  @Option(
      names = "--disk-reads",
      defaultValue = "0",
      description =
          "most reads from a node's disk in a second, and in any tenth of one at most a tenth of"
              + " them; a slow node's are fewer by --slow-factor, and all else is as fast;"
              + " 0: no limit (default)")
  double diskReadsPerSecond;

  @Option(
      names = "--parallel",
      defaultValue = "4",
      description = "reads that a node serves at once; 1 to 1024 (default ${DEFAULT-VALUE})")
  int parallelReads;

  @Option(
      names = "--cached",
      defaultValue = "0.333",
      description = "share of a node's copies that its cache holds; 0 to 1 (default 0.333)")
  double cachedShare;

  @Option(
      names = "--hop-micros",
      defaultValue = "100",
      description = "one way between two nodes, in µs (default ${DEFAULT-VALUE})")
  double hopMicros;

  @Option(
      names = "--slow-nodes",
      defaultValue = "0",
      description = "nodes that get slow when the measurement begins (default ${DEFAULT-VALUE})")
  int slowNodes;

  @Option(
      names = "--slow-factor",
      defaultValue = "10",
      description = "times that their reads take; 1 to 10000 (default ${DEFAULT-VALUE})")
  double slowFactor;

  @Option(
      names = "--pause-every",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "mean time between two pauses of a node; 0 for none (default ${DEFAULT-VALUE})")
  double pauseEverySeconds;

  @Option(
      names = "--pause",
      paramLabel = "MS",
      defaultValue = "200",
      description = "mean length of a pause, in ms (default ${DEFAULT-VALUE})")
  double pauseMillis;

  @Option(
      names = "--tie",
      paramLabel = "MS",
      description = "τ of the rule nr, in ms; above 0 (default: the plugin's)")
  double tieMillis = SelectionRules.DEFAULT.tie().toNanos() / NANOS_A_MILLI;

  @Option(
      names = "--silence",
      paramLabel = "MS",
      description = "silence of the rule nr, in ms; above 0 (default: the plugin's)")
  double silenceMillis = SelectionRules.DEFAULT.silence().toNanos() / NANOS_A_MILLI;

  Scenario scenario() {
    // too many nodes are refused as such, not as too high a rate
    double rate = ratePerNode * Math.min(nodes, Scenario.MOST_NODES);
    return new Scenario(
        nodes,
        rf,
        coordinators == 0 ? coordinatorsByDefault() : coordinators,
        new Scenario.Load((int) Math.min(keys, Integer.MAX_VALUE), zipf, rate, seconds, clients),
        new Scenario.NodeModel(
            hitMicros, diskMicros, diskReadsPerSecond, parallelReads, cachedShare, hopMicros),
        new Scenario.Trouble(slowNodes, slowFactor, pauseEverySeconds, pauseMillis));
  }

  private int coordinatorsByDefault() {
    return clients == Clients.ANY ? Math.min(nodes, MOST_COORDINATORS_BY_DEFAULT) : nodes;
  }

  SelectionRules rules() {
    return SelectionRules.DEFAULT.withTie(duration(tieMillis)).withSilence(duration(silenceMillis));
  }

  private static Duration duration(double millis) {
    return Duration.ofNanos(Math.round(millis * NANOS_A_MILLI));
  }

  /** What was simulated, as results record it. */
  Map<String, Object> config(long seed) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("scenario", scenario());
    config.put("tieMillis", tieMillis);
    config.put("silenceMillis", silenceMillis);
    config.put("seed", seed);
    return config;
  }
}
