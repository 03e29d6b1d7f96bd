package io.counterpart.cli.plan;

import io.counterpart.cli.console.TextTable;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingChange;
import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.RingPlan;
import io.counterpart.core.ring.change.TableCost;
import io.counterpart.core.ring.change.TableLoad;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.ClusterRing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plan for people and for programs. */
record PlanRingView(String change, ClusterRing cluster, List<RingChange> steps, RingPlan plan) {
  private static final List<String> COLUMNS =
      List.of(
          "node",
          "table",
          "now",
          "after",
          "in",
          "out",
          "promoted",
          "demoted",
          "rewritten",
          "foreign");

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cluster", cluster.name());
    json.put("change", change);
    json.put("newNodes", joining());
    json.put("silent", cluster.silent());
    json.put("unweighed", cluster.unweighed());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (TableLoad table : cluster.tables()) {
      plan.costs(table)
          .forEach(
              (node, cost) -> {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("node", node);
                row.put("keyspace", table.keyspace());
                row.put("table", table.table());
                row.put("decoupled", table.maxGroups() > 0);
                row.put("bytes", cost);
                rows.add(row);
              });
    }
    json.put("costs", rows);
    json.put("notes", notes());
    return json;
  }

  String text() {
    TextTable table = new TextTable(COLUMNS);
    Map<String, TableCost> byNode = new LinkedHashMap<>();
    for (TableLoad load : cluster.tables()) {
      plan.costs(load)
          .forEach(
              (node, cost) -> {
                table.row(cells(node, load.qualified(), cost));
                byNode.merge(node, cost, TableCost::plus);
              });
    }
    if (cluster.tables().size() > 1) {
      byNode.forEach((node, cost) -> table.row(cells(node, "all", cost)));
    }
    TableCost whole = byNode.values().stream().reduce(TableCost.NONE, TableCost::plus);
    table.row(cells("all", "all", whole));
    List<String> lines = new ArrayList<>();
    lines.add("to " + change + " (MiB; nothing is changed):");
    joining()
        .forEach(
            node ->
                lines.add(
                    "  %s in %s, %s, %d tokens"
                        .formatted(
                            node.name(), node.datacenter(), node.rack(), node.tokens().size())));
    lines.add(table.render());
    lines.addAll(notes());
    return String.join(System.lineSeparator(), lines);
  }

  private List<RingNode> joining() {
    return steps.stream()
        .filter(RingChange.Join.class::isInstance)
        .map(step -> ((RingChange.Join) step).node())
        .toList();
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        "promoted, demoted: copies whose role changes in files that stay; rewritten: files that are"
            + " cut again; foreign: for nodetool cleanup");
    notes.add(
        "assumes that a node's bytes of a table, on disk now, lie evenly over the ranges that it"
            + " keeps, and that each new copy is streamed once");
    if (!cluster.silent().isEmpty()) {
      notes.add(
          "no answer from %s: taken as dead, with the average bytes of the others"
              .formatted(String.join(", ", cluster.silent())));
    }
    if (!cluster.unweighed().isEmpty()) {
      notes.add(
          "no JMX on %s: taken with the average bytes of the others"
              .formatted(String.join(", ", cluster.unweighed())));
    }
    if (!joining().isEmpty()) {
      cluster.replications().entrySet().stream()
          .filter(entry -> entry.getValue() instanceof HashOrderedReplication)
          .forEach(
              entry ->
                  notes.add(
                      "keyspace %s is under PorStrategy, which refuses these tokens: a node takes arcs"
                              .formatted(entry.getKey())
                          + " of its successor by hash alone; its refusal names them"));
    }
    notes.addAll(dropped());
    for (TableLoad table : cluster.tables()) {
      if (plan.withoutSource(table) > 0) {
        notes.add(
            "LOST: of %s %.1f %% of the ring has no replica that answers"
                .formatted(table.qualified(), plan.withoutSource(table) * 100));
      }
    }
    return notes;
  }

  /** Copies that go from nodes that stay to others, which get what the leaving node has. */
  private List<String> dropped() {
    List<String> notes = new ArrayList<>();
    TokenRing ring = cluster.ring();
    for (RingChange step : steps) {
      if (step instanceof RingChange.Leave leave) {
        notes.addAll(dropped(ring, leave.name()));
      }
      ring = step.applyTo(ring);
    }
    return notes;
  }

  private List<String> dropped(TokenRing ring, String leaving) {
    List<String> notes = new ArrayList<>();
    for (Map.Entry<String, Replication> each : cluster.replications().entrySet()) {
      Map<String, Double> dropped = RingDifference.dropped(ring, leaving, each.getValue());
      if (!dropped.isEmpty()) {
        notes.add(
            ("keyspace %s: when %s leaves, %s lose copies too, and others get them from %s alone:"
                    + " what it lacks is lost. Before, have all applications write at ALL, and run"
                    + " on it: nodetool repair -full %s")
                .formatted(
                    each.getKey(),
                    leaving,
                    String.join(", ", dropped.keySet()),
                    leaving,
                    each.getKey()));
      }
    }
    return notes;
  }

  private static List<String> cells(String node, String table, TableCost cost) {
    return List.of(
        node,
        table,
        mebibytes(cost.before()),
        mebibytes(cost.after()),
        mebibytes(cost.in()),
        mebibytes(cost.out()),
        mebibytes(cost.promoted()),
        mebibytes(cost.demoted()),
        mebibytes(cost.rewritten()),
        mebibytes(cost.foreign()));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / (double) (1 << 20));
  }
}
