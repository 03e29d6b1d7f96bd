package io.counterpart.cli.tokens;

import io.counterpart.cli.console.TextTable;
import io.counterpart.core.placement.RingBalance;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingChange;
import io.counterpart.core.ring.change.RingChanges;
import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A placement for people and for programs. */
record TokensView(TokenRing ring, String datacenter, int copies, int tokens) {
  private static final List<String> COLUMNS =
      List.of(
          "ring",
          "nodes",
          "replica sets",
          "of them as before",
          "led, most ÷ mean",
          "copies, most ÷ mean",
          "copies that move %");

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("datacenter", datacenter);
    json.put("copies", copies);
    json.put("nodes", ring.nodes());
    Map<String, Object> balances = new LinkedHashMap<>();
    rings().forEach((name, each) -> balances.put(name, balanceJson(each)));
    json.put("balance", balances);
    return json;
  }

  private Map<String, Object> balanceJson(TokenRing each) {
    RingBalance balance = balance(each);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("nodes", each.nodes().size());
    json.put("replicaSets", balance.replicaSets());
    json.put("primaryImbalance", balance.primaryImbalance());
    json.put("copiesImbalance", balance.copiesImbalance());
    RingDifference difference = difference(each);
    json.put("keptReplicaSets", difference.keptSets());
    json.put("movedCopies", difference.streamed() / copies);
    json.put("shares", balance.shares());
    return json;
  }

  String text() {
    List<String> lines = new ArrayList<>();
    for (RingNode node : ring.nodes()) {
      lines.add("# %s, %s %s".formatted(node.name(), datacenter, node.rack()));
      lines.add("num_tokens: " + tokens);
      lines.add(
          "initial_token: "
              + node.tokens().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    lines.add("");
    TextTable table = new TextTable(COLUMNS);
    rings()
        .forEach(
            (name, each) -> {
              RingBalance balance = balance(each);
              RingDifference difference = difference(each);
              table.row(
                  List.of(
                      name,
                      each.nodes().size(),
                      balance.replicaSets(),
                      difference.keptSets(),
                      ratio(balance.primaryImbalance()),
                      ratio(balance.copiesImbalance()),
                      percent(difference.streamed() / copies)));
            });
    lines.add(table.render());
    lines.add(
        "RF %d; a node that joins takes an equal share from each (plan-ring)".formatted(copies));
    return String.join(System.lineSeparator(), lines);
  }

  /** This ring, and those that one node more or less would leave. */
  private Map<String, TokenRing> rings() {
    Map<String, TokenRing> rings = new LinkedHashMap<>();
    rings.put("now", ring);
    RingChange join =
        new RingChanges(ring, Map.of())
            .join(1, new RingChanges.Place(datacenter, null, tokens))
            .get(0);
    rings.put("one joins", join.applyTo(ring));
    if (ring.nodes().size() > copies) {
      rings.put("one leaves", ring.without(ring.nodes().get(0).name()));
    }
    return rings;
  }

  private RingBalance balance(TokenRing each) {
    return RingBalance.of(each, replication(), datacenter);
  }

  private RingDifference difference(TokenRing each) {
    return RingDifference.between(ring, each, replication());
  }

  private Replication replication() {
    return new Replication.NetworkTopology(Map.of(datacenter, copies));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * share);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
