package io.counterpart.cli.simulate;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.TextTable;
import io.counterpart.core.eviction.simulator.EvictionOutcome;
import io.counterpart.core.eviction.simulator.EvictionSimulation;
import io.counterpart.core.eviction.simulator.StripeCache;
import io.counterpart.core.eviction.simulator.TracePreset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart simulate eviction}: hit ratios of eviction by the stripe. */
@Command(
    name = "eviction",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Replays traces against eviction by the stripe, without servers, beside SIEVE on single"
          + " objects with as much memory for values.",
      "The first half of a trace fills the caches, the second half is counted. The same seed gives"
          + " the same results.",
      "Unmoved: hits while no object can move, because a server is down, restored, added or"
          + " removed.",
      "Moved: objects that moved to another stripe for each that left; each is one read."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:simulated", "2:a bad option; nothing was simulated"})
final class SimulateEvictionCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("trace", "memory %", "SIEVE hits %", "stripes hits %", "unmoved hits %", "moved");
  private static final double PERCENT = 100;

  @Option(
      names = "--traces",
      split = ",",
      paramLabel = "TRACE",
      description = "some of ${COMPLETION-CANDIDATES} (default: all)")
  private List<TracePreset> traces = List.of(TracePreset.values());

  @Option(
      names = "--memory",
      split = ",",
      paramLabel = "PERCENT",
      defaultValue = "5,10,25",
      description = "memory for values in percent of the data (default ${DEFAULT-VALUE})")
  private List<Double> memoryPercents = List.of();

  @Option(
      names = "--objects",
      converter = KeyCount.class,
      defaultValue = "300K",
      description = "objects, with suffix K or M; 10K to 100M (default ${DEFAULT-VALUE})")
  private long objects;

  @Option(
      names = "--requests",
      converter = KeyCount.class,
      defaultValue = "1M",
      description = "requests of a trace; 2 to 2G (default ${DEFAULT-VALUE})")
  private long requests;

  @Option(
      names = "--code",
      paramLabel = "N,K",
      defaultValue = "5,3",
      description = "the tier's code; 3,2 to 14,10 (default ${DEFAULT-VALUE})")
  private String code = "";

  @Option(names = "--seed", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Mixin private Output output = new Output();

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() {
    List<EvictionOutcome> outcomes = new ArrayList<>();
    try {
      CodeShape shape = CodeShape.parse(code);
      EvictionSimulation simulation =
          new EvictionSimulation(
              new StripeCache.Code(shape.n(), shape.k()), number(objects), number(requests), seed);
      memoryPercents.forEach(percent -> EvictionSimulation.checkMemory(percent / PERCENT));
      for (TracePreset trace : traces) {
        memoryPercents.forEach(percent -> outcomes.add(simulation.run(trace, percent / PERCENT)));
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("code", code);
    config.put("objects", objects);
    config.put("requests", requests);
    config.put("seed", seed);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("config", config);
    json.put("results", outcomes);
    output.result(json, text(outcomes));
    return ExitCodes.OK;
  }

  /** Larger counts are beyond the legal range, too. */
  private static int number(long count) {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  private static String text(List<EvictionOutcome> outcomes) {
    TextTable table = new TextTable(COLUMNS);
    for (EvictionOutcome outcome : outcomes) {
      table.row(
          List.of(
              outcome.trace().name().toLowerCase(Locale.ROOT),
              decimals(0, PERCENT * outcome.memoryShare()),
              decimals(1, PERCENT * outcome.sieveHitShare()),
              decimals(1, PERCENT * outcome.stripesHitShare()),
              decimals(1, PERCENT * outcome.unmovedHitShare()),
              decimals(2, outcome.movedPerEvicted())));
    }
    return table.render();
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
