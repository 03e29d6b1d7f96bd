package io.counterpart.cli.engine;

import io.counterpart.cli.console.TextTable;
import io.counterpart.core.engine.advice.Advice;
import io.counterpart.core.engine.advice.Load;
import io.counterpart.core.engine.advice.MixAdvice;
import io.counterpart.core.engine.advice.TableFacts;
import io.counterpart.lab.remote.advice.DecoupledSwitch;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Advice for people and for programs. */
record AdviceView(WorkloadAdvice advice) {

  /** The rates, the recommendations with their reasons, and the commands that carry them out. */
  String text() {
    List<String> lines = new ArrayList<>();
    if (advice.tables().isEmpty()) {
      lines.add("there is no table but Cassandra's own");
    } else {
      lines.add(rates());
      lines.add("");
      advice.tables().forEach(table -> lines.add(line(table.advice())));
    }
    advice.mixes().forEach(mix -> lines.add(line(mix.advice())));
    List<String> commands = commands();
    if (!commands.isEmpty()) {
      lines.add("");
      lines.add("to do so (tables: also by --apply; engine mix: also with --reads-at):");
      commands.forEach(command -> lines.add("  " + command));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private String rates() {
    TextTable table =
        new TextTable(
            List.of("table", "on", "compaction", "reads/s", "writes/s", "scans/s", "MiB a node"));
    for (WorkloadAdvice.OnTable each : advice.tables()) {
      TableFacts facts = each.facts();
      Load load = facts.load();
      table.row(
          List.of(
              facts.name(),
              facts.storage(),
              facts.compaction().replaceAll("CompactionStrategy$", ""),
              rate(load.reads()),
              rate(load.writes()),
              rate(load.scans()),
              facts.nodeBytes() >> 20));
    }
    return table.render();
  }

  private static String rate(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String line(Advice advice) {
    return "%s: %s, since %s"
        .formatted(advice.table(), advice.action(), advice.reason())
        .replace("leave, since", "leave:");
  }

  private String line(MixAdvice mix) {
    String of = "mix of %d copies".formatted(mix.copies());
    if (mix.quotas().isEmpty()) {
      return "%s: leave: %s".formatted(of, mix.reason());
    }
    String verdict =
        mix.changes()
            ? mix.mix()
            : (advice.isHeterogeneous() ? "leave; the best is " : "leave; if one, then ")
                + mix.mix();
    return "%s: %s: %s".formatted(of, verdict, mix.reason());
  }

  private List<String> commands() {
    List<String> commands = new ArrayList<>();
    for (WorkloadAdvice.OnTable table : advice.changes()) {
      Advice.Action action = table.advice().action();
      commands.add(
          action.isEngine()
              ? "./counterpart engine migrate %s %s".formatted(table.facts().name(), action)
              : DecoupledSwitch.statement(table.facts().name()));
    }
    TreeSet<String> lacking = new TreeSet<>();
    for (WorkloadAdvice.OnTable table : advice.changes()) {
      table.lacking().forEach(node -> lacking.add(node + ": " + table.advice().action()));
    }
    lacking.forEach(
        each -> commands.add("first, in cassandra.yaml, a memtable configuration on " + each));
    for (WorkloadAdvice.OnMix changed : advice.mixes()) {
      MixAdvice mix = changed.advice();
      changed.keyspaces().stream()
          .filter(keyspace -> mix.changes())
          .forEach(
              keyspace ->
                  commands.add(
                      "./counterpart engine mix %s %s"
                          .formatted(keyspace, changed.wanted().option())));
      if (mix.changes() && changed.keyspaces().isEmpty()) {
        commands.add(
            "no command changes the mix of %d copies in place; a new cluster, with a --home of its own:"
                .formatted(mix.copies()));
        commands.add(
            "./counterpart up --servers S --engines write=lsm,read=lmdb,memory=memory --quorum"
                + " %d,%d,%d".formatted(mix.copies(), mix.writeQuorum(), mix.readQuorum()));
        commands.add(
            "  on a cluster of yours: a new datacenter of such nodes, nodetool rebuild on each, then"
                + " clients there; classes of nodes with data are not changed");
      }
    }
    return commands;
  }

  /** What is advised and {@code --apply} cannot do. */
  List<String> notInPlace() {
    return advice.mixes().stream()
        .filter(each -> each.advice().changes() && each.keyspaces().isEmpty())
        .map(
            each ->
                ("the mix of %d copies is left as it is: it is in the racks and tokens of the nodes,"
                        + " and those of nodes with data stay")
                    .formatted(each.advice().copies()))
        .toList();
  }

  /** What {@code --json} prints. */
  Map<String, Object> json(List<Map<String, Object>> applied) {
    List<Map<String, @Nullable Object>> tables = new ArrayList<>();
    for (WorkloadAdvice.OnTable each : advice.tables()) {
      tables.add(json(each));
    }
    List<Map<String, Object>> mixes = new ArrayList<>();
    for (WorkloadAdvice.OnMix each : advice.mixes()) {
      MixAdvice mix = each.advice();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("copies", mix.copies());
      one.put("changes", mix.changes());
      mix.quotas()
          .ifPresent(
              quotas -> {
                one.put("writeQuorum", mix.writeQuorum());
                one.put("readQuorum", mix.readQuorum());
                one.put("write", quotas.write());
                one.put("read", quotas.read());
                one.put("memory", quotas.memory());
              });
      one.put("keyspaces", each.keyspaces());
      one.put("inPlace", !each.keyspaces().isEmpty());
      one.put("reason", mix.reason());
      mixes.add(one);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("heterogeneous", advice.isHeterogeneous());
    json.put("tables", tables);
    json.put("mixes", mixes);
    json.put("applied", applied);
    return json;
  }

  private static Map<String, @Nullable Object> json(WorkloadAdvice.OnTable table) {
    TableFacts facts = table.facts();
    Load load = facts.load();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("table", facts.name());
    json.put("on", facts.storage().toString());
    json.put("compaction", facts.compaction());
    json.put("copies", facts.copies());
    json.put("readsPerSecond", load.reads());
    json.put("writesPerSecond", load.writes());
    json.put("scansPerSecond", load.scans());
    json.put("clientReadsPerSecond", load.clientReads());
    json.put("operations", load.operations());
    json.put("readMillis", Double.isNaN(load.readMillis()) ? null : load.readMillis());
    json.put("nodeBytes", facts.nodeBytes());
    json.put("hitRatio", Double.isNaN(facts.hitRatio()) ? null : facts.hitRatio());
    json.put("advice", table.advice().action().toString());
    json.put("reason", table.advice().reason());
    json.put("lackingNodes", table.lacking());
    return json;
  }
}
