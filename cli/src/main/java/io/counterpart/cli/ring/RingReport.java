package io.counterpart.cli.ring;

import io.counterpart.cli.console.TextTable;
import io.counterpart.cli.ring.DatacenterBalance.NodeShare;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.ClusterRing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A live ring for people and for programs. */
record RingReport(ClusterRing cluster, List<DatacenterBalance> balances) {
  private static final List<String> KEYSPACES =
      List.of(
          "keyspace",
          "strategy",
          "dc",
          "RF",
          "nodes",
          "replica sets",
          "led, most ÷ mean",
          "copies, most ÷ mean");
  private static final List<String> NODES =
      List.of("keyspace", "node", "dc", "rack", "tokens", "led %", "copies %", "MiB");

  static RingReport of(ClusterRing cluster) {
    List<DatacenterBalance> balances = new ArrayList<>();
    cluster
        .replications()
        .forEach(
            (keyspace, replication) ->
                balances.addAll(DatacenterBalance.of(cluster, keyspace, replication)));
    return new RingReport(cluster, balances);
  }

  TokenRing ring() {
    return cluster.ring();
  }

  /** The replication that is drawn: the first keyspace's, or the bare ring's if there is none. */
  Replication first() {
    return cluster.replications().values().stream()
        .findFirst()
        .orElseGet(() -> new Replication.Simple(1));
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cluster", cluster.name());
    json.put("tokens", ring().tokens().size());
    json.put("keyspaces", balances);
    json.put("silent", cluster.silent());
    json.put("unweighed", cluster.unweighed());
    json.put("notes", notes());
    return json;
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %d nodes, %d tokens"
            .formatted(cluster.name(), ring().nodes().size(), ring().tokens().size()));
    cluster.replications().keySet().stream()
        .findFirst()
        .ifPresent(keyspace -> lines.add("drawn: keyspace " + keyspace));
    lines.addAll(RingLines.of(ring(), first()));
    lines.add("");
    lines.add(keyspaceTable().render());
    lines.add("");
    lines.add(nodeTable().render());
    lines.addAll(notes());
    return String.join(System.lineSeparator(), lines);
  }

  private TextTable keyspaceTable() {
    TextTable table = new TextTable(KEYSPACES);
    for (DatacenterBalance balance : balances) {
      table.row(
          List.of(
              balance.keyspace(),
              balance.strategy(),
              balance.datacenter(),
              balance.copies(),
              balance.nodes().size(),
              balance.replicaSets(),
              decimal("%.2f", balance.primaryImbalance()),
              decimal("%.2f", balance.copiesImbalance())));
    }
    return table;
  }

  private TextTable nodeTable() {
    TextTable table = new TextTable(NODES);
    for (DatacenterBalance balance : balances) {
      for (NodeShare node : balance.nodes()) {
        Long bytes = node.bytes();
        table.row(
            List.of(
                balance.keyspace(),
                node.node(),
                balance.datacenter(),
                node.rack(),
                node.tokens(),
                decimal("%.1f", 100 * node.primary()),
                decimal("%.1f", 100 * node.copies()),
                bytes == null ? "-" : decimal("%.1f", bytes / (double) (1 << 20))));
      }
    }
    return table;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (balances.isEmpty()) {
      notes.add("no keyspace but Cassandra's own is replicated over the ring");
    }
    if (!cluster.silent().isEmpty()) {
      notes.add("no answer from " + String.join(", ", cluster.silent()));
    }
    if (!cluster.unweighed().isEmpty()) {
      notes.add("no JMX on %s: bytes unknown".formatted(String.join(", ", cluster.unweighed())));
    }
    return notes;
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
