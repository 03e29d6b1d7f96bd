package io.counterpart.cli.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.core.simulator.Layout;
import io.counterpart.core.simulator.LayoutCost;
import io.counterpart.core.simulator.Simulation;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart simulate}: counts the bytes that storage layouts write, without a cluster. */
@Command(
    name = "simulate",
    subcommands = {SimulateSelectionCommand.class, SimulateEvictionCommand.class},
    mixinStandardHelpOptions = true,
    description = {
      "Counts the bytes that storage layouts write and the sstables that reads check, without a"
          + " cluster and without keys: 600M keys take about a second.",
      "Modelled throughput: writes are the inverse ratio of bytes written (commit log, flush,"
          + " compaction), reads the inverse ratio of sstables checked (ONE: the primary copy;"
          + " QUORUM: the primary and then redundant copies).",
      "With a ratio or chance of a format, bytes by role are printed too: on disk, written, and of"
          + " Bloom filters."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:simulated", "2:a bad option; nothing was simulated"})
public final class SimulateCommand implements Callable<Integer> {
  @Mixin private final SimulationOptions options = new SimulationOptions();

  @Option(
      names = "--sweep",
      description = "the rows of DEPART Table 1 (S) and Figure 2 (keys and RF) instead")
  private boolean sweep;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Copies that a QUORUM read waits for. */
  static int quorum(int rf) {
    return rf / 2 + 1;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (sweep) {
        print(out, new PaperSweep(options));
      } else {
        print(out, layouts());
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  private List<LayoutCostRow> layouts() {
    Layout decoupled = options.decoupled(options.runs);
    Simulation simulation = options.simulation();
    LayoutCost uniform = simulation.run(new Layout.Uniform(Layout.Tree.LCS));
    Stream<LayoutCost> others =
        Stream.of(
                new Layout.Uniform(Layout.Tree.UCS_T4),
                new Layout.Uniform(Layout.Tree.UCS_L10),
                new Layout.MultipleTrees(Layout.Tree.LCS),
                decoupled)
            .map(simulation::run);
    return Stream.concat(Stream.of(uniform), others)
        .map(cost -> new LayoutCostRow(cost, uniform, quorum(options.rf)))
        .toList();
  }

  private void print(PrintWriter out, List<LayoutCostRow> rows) throws JsonProcessingException {
    if (json) {
      printJson(out, Map.of("results", rows.stream().map(this::json).toList()));
      return;
    }
    printTable(out, rows);
  }

  private void print(PrintWriter out, PaperSweep paper) throws JsonProcessingException {
    List<LayoutCostRow> table1 = paper.table1();
    List<AmplificationRow> figure2 = paper.figure2();
    if (json) {
      Map<String, Object> both = new LinkedHashMap<>();
      both.put("table1", table1.stream().map(this::json).toList());
      both.put("figure2", figure2.stream().map(AmplificationRow::json).toList());
      printJson(out, both);
      return;
    }
    out.println("Table 1: the degree of ordering S");
    printTable(out, table1);
    out.println();
    out.println("Figure 2: write amplification of uniform LCS");
    out.println(AmplificationRow.HEADER);
    figure2.forEach(row -> out.println(row.text()));
  }

  private void printTable(PrintWriter out, List<LayoutCostRow> rows) {
    out.println(LayoutCostRow.HEADER);
    out.println(LayoutCostRow.UNITS);
    rows.forEach(row -> out.println(row.text()));
    if (options.formats.areGiven()) {
      out.println();
      out.println(RoleRow.HEADER);
      out.println(RoleRow.UNITS);
      rows.forEach(row -> out.println(row.byRole().text()));
    }
  }

  private Map<String, Object> json(LayoutCostRow row) {
    Map<String, Object> json = row.json();
    if (options.formats.areGiven()) {
      json.put("byRole", row.byRole().json());
    }
    return json;
  }

  private void printJson(PrintWriter out, Map<String, Object> content)
      throws JsonProcessingException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("config", options.config());
    all.putAll(content);
    out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(all));
  }
}
