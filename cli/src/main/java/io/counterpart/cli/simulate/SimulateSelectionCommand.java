package io.counterpart.cli.simulate;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.TextTable;
import io.counterpart.core.selection.simulator.RuleKind;
import io.counterpart.core.selection.simulator.SelectionOutcome;
import io.counterpart.core.selection.simulator.SelectionSimulation;
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

/** {@code counterpart simulate selection}: compares rules of replica selection. */
@Command(
    name = "selection",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares rules of replica selection, without a cluster: latency, cache hits, switches.",
      "Reads at ONE arrive at random times at a given rate, whatever the nodes do, and each rule"
          + " gets the same ones. The same seed gives the same results.",
      "Switches: moves of all rows of a primary to other replicas, for one primary at one"
          + " coordinator. Busiest: reads of the busiest node ÷ mean of all nodes."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:simulated", "2:a bad option; nothing was simulated"})
final class SimulateSelectionCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of(
          "rule", "p50 ms", "p99 ms", "p99.9 ms", "reads/s", "hits %", "switches/min", "busiest");

  @Mixin private final ScenarioOptions options = new ScenarioOptions();

  @Option(
      names = "--rules",
      split = ",",
      paramLabel = "RULE",
      description = "some of ${COMPLETION-CANDIDATES} (default: all)")
  private List<RuleKind> rules = List.of(RuleKind.values());

  @Option(names = "--seed", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Mixin private Output output = new Output();

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() {
    SelectionSimulation simulation;
    try {
      simulation = new SelectionSimulation(options.scenario(), options.rules(), seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
    List<SelectionOutcome> outcomes = rules.stream().map(simulation::run).toList();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("config", options.config(seed));
    json.put("results", outcomes.stream().map(SimulateSelectionCommand::json).toList());
    output.result(json, text(outcomes));
    return ExitCodes.OK;
  }

  private static Map<String, Object> json(SelectionOutcome outcome) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rule", outcome.rule().label());
    json.put("reads", outcome.reads());
    json.put("p50Millis", outcome.latency().p50Millis());
    json.put("p99Millis", outcome.latency().p99Millis());
    json.put("p999Millis", outcome.latency().p999Millis());
    json.put("readsPerSecond", outcome.latency().readsPerSecond());
    json.put("hitShare", outcome.hitShare());
    json.put("switchesPerMinute", outcome.switchesPerMinute());
    json.put("busiestShare", outcome.busiestShare());
    return json;
  }

  private static String text(List<SelectionOutcome> outcomes) {
    TextTable table = new TextTable(COLUMNS);
    for (SelectionOutcome outcome : outcomes) {
      table.row(
          List.of(
              outcome.rule().label(),
              decimals(2, outcome.latency().p50Millis()),
              decimals(1, outcome.latency().p99Millis()),
              decimals(1, outcome.latency().p999Millis()),
              decimals(0, outcome.latency().readsPerSecond()),
              decimals(1, 100 * outcome.hitShare()),
              decimals(2, outcome.switchesPerMinute()),
              decimals(2, outcome.busiestShare())));
    }
    return table.render();
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
