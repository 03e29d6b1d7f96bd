package io.counterpart.cli.engine;

import io.counterpart.core.placement.engine.CopyLevel;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.lab.remote.mix.MixPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** A change of a mix for people and for programs. */
record MixView(MixPlan plan) {

  /** What changes, and at which levels applications have to read and write until it is over. */
  String text() {
    MixChange own = plan.own();
    List<String> lines = new ArrayList<>();
    if (plan.isDone()) {
      lines.add("%s has the mix %s already".formatted(plan.keyspace(), own.to()));
      return String.join(System.lineSeparator(), lines);
    }
    lines.add(changed(plan.datacenter(), own));
    others().forEach((datacenter, change) -> lines.add(changed(datacenter, change)));
    lines.add(
        "of a row's copies%s %d or more stay where they are; the new ones are empty until the repair"
            .formatted(others().isEmpty() ? "" : " in a datacenter", kept()));
    MixLevels weakest = MixLevels.weakest(plan.change());
    lines.add(
        plan.change().isRepairedFirst()
            ? "a write of now may be on none of these, so a repair comes before the change, too;"
                + " from before it until the repair after it has ended, all applications have to"
            : "from before the change until the repair has ended, all applications have to");
    lines.add(
        "  read at %s".formatted(MixLevels.names(plan.change().readLevels(weakest.writes()))));
    lines.add(
        "  write at "
            + weakest
                .writes()
                .map(level -> MixLevels.names(plan.change().writeLevels()))
                .orElse(
                    "the level of now, which waits for %d copies"
                        .formatted(own.from().writeQuorum())));
    return String.join(System.lineSeparator(), lines);
  }

  private String changed(String datacenter, MixChange change) {
    return "%s: %s to %s in %s, copies by class %s to %s"
        .formatted(
            plan.keyspace(),
            change.from(),
            change.to(),
            datacenter,
            change.from().quotas(),
            change.to().quotas());
  }

  /** Those whose quorums change along, by datacenter. */
  private Map<String, MixChange> others() {
    Map<String, MixChange> others = new TreeMap<>(plan.change().byDatacenter());
    others.remove(plan.datacenter());
    return others;
  }

  /** In the datacenter that keeps fewest. */
  private int kept() {
    return plan.change().byDatacenter().values().stream().mapToInt(MixChange::kept).min().orElse(0);
  }

  /** How to go on, where levels were not stated yet. */
  String howToGoOn() {
    MixLevels weakest = MixLevels.weakest(plan.change());
    return "nothing was changed; when they do, add --reads-at %s%s"
        .formatted(
            weakest.reads().map(CopyLevel::name).orElse("LEVEL"),
            weakest.writes().map(level -> " --writes-at " + level).orElse(""));
  }

  /** The levels with the mix of after, and what is left to do. */
  String after() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s has the mix %s: applications may read at %s and write at %s now"
            .formatted(plan.keyspace(), plan.own().to(), readLevel(), writeLevel()));
    String losing = String.join(", ", nodes(MixChange::losing));
    if (plan.isDone()) {
      lines.add(
          "which nodes keep copies that are not needed any more is not known now: nodetool cleanup"
              + " %s on every node, before the next change of the mix".formatted(plan.keyspace()));
    } else if (!losing.isEmpty()) {
      lines.add(
          "copies that are not needed any more: nodetool cleanup %s on %s, before the next change of"
                  .formatted(plan.keyspace(), losing)
              + " the mix");
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** The command that takes up a change that was cut off, whoever began it. */
  String again() {
    return "counterpart engine mix %s %s%s"
        .formatted(plan.keyspace(), plan.own().to().option(), plan.datacenterOption());
  }

  private List<String> nodes(Function<MixChange, Set<String>> which) {
    return plan.change().byDatacenter().values().stream()
        .flatMap(change -> which.apply(change).stream())
        .sorted()
        .toList();
  }

  String readLevel() {
    return plan.change().levelsAfter(true).get(0).name();
  }

  String writeLevel() {
    return plan.change().levelsAfter(false).get(0).name();
  }

  /** The same before the change. */
  String repairsBefore(List<String> nodes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "nothing was changed; run this on each node, and then %s with the levels and --repaired:"
            .formatted(again()));
    nodes.forEach(node -> lines.add(repair(node)));
    return String.join(System.lineSeparator(), lines);
  }

  private String repair(String node) {
    return "  on %s: nodetool repair -full -pr %s".formatted(node, plan.keyspace());
  }

  /** What is to be done on each node, where it cannot be done from here. */
  String repairs(List<String> nodes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "run this on each node, one after the other; until the last has ended keep the levels:");
    nodes.forEach(node -> lines.add(repair(node)));
    lines.add("then:");
    lines.add(after());
    return String.join(System.lineSeparator(), lines);
  }

  /** What {@code --json} prints. */
  Map<String, Object> json(String state, List<String> repaired) {
    MixLevels weakest = MixLevels.weakest(plan.change());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("keyspace", plan.keyspace());
    json.put("datacenter", plan.datacenter());
    json.put("from", json(plan.own().from()));
    json.put("to", json(plan.own().to()));
    json.put("changedBefore", plan.isDone());
    json.put("repairedFirst", plan.change().isRepairedFirst());
    Map<String, Object> along = new LinkedHashMap<>();
    others()
        .forEach(
            (datacenter, change) ->
                along.put(
                    datacenter, Map.of("from", json(change.from()), "to", json(change.to()))));
    json.put("otherDatacenters", along);
    json.put("copiesKept", kept());
    json.put("readLevels", plan.change().readLevels(weakest.writes()));
    json.put("writeLevels", weakest.writes().isEmpty() ? List.of() : plan.change().writeLevels());
    json.put("readLevelAfter", readLevel());
    json.put("writeLevelAfter", writeLevel());
    json.put("gainingNodes", nodes(MixChange::gaining));
    json.put("losingNodes", nodes(MixChange::losing));
    json.put("state", state);
    json.put("repairedNodes", repaired);
    return json;
  }

  private static Map<String, Integer> json(EngineMix mix) {
    Map<String, Integer> json = new LinkedHashMap<>();
    json.put("copies", mix.copies());
    json.put("writeQuorum", mix.writeQuorum());
    json.put("readQuorum", mix.readQuorum());
    return json;
  }
}
