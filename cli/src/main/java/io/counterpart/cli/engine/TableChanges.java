package io.counterpart.cli.engine;

import io.counterpart.cli.console.Output;
import io.counterpart.core.engine.advice.Advice;
import io.counterpart.lab.remote.EngineMigration;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.advice.DecoupledSwitch;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables that advice would change, changed one after the other. Used once. */
final class TableChanges {
  private static final int WATCH_SECONDS = 3_600;

  private final RemoteAccess access;
  private final Output output;
  private final List<Advice> changes;
  private final List<Outcome> outcomes = new ArrayList<>();

  private record Outcome(Advice advice, boolean isDone, String text) {}

  TableChanges(RemoteAccess access, Output output, WorkloadAdvice advice) {
    this.access = access;
    this.output = output;
    changes = advice.changes().stream().map(WorkloadAdvice.OnTable::advice).toList();
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  int count() {
    return changes.size();
  }

  /**
   * Looks whether every one of them can begin, before any does.
   *
   * @throws RunRefusedException if a node is down, or lacks a configuration or the plugin
   */
  void requirePossible() {
    for (Advice change : changes) {
      if (change.action().isEngine()) {
        migration(change).close();
      } else {
        DecoupledSwitch.open(access, change.table()).close();
      }
    }
  }

  private EngineMigration migration(Advice change) {
    int dot = change.table().indexOf('.');
    return EngineMigration.open(
        access,
        change.table().substring(0, dot),
        change.table().substring(dot + 1),
        change.action().toString());
  }

  /**
   * Ends with the first one that is not done in time; returns whether all were.
   *
   * @throws RunRefusedException if one cannot begin any more
   */
  boolean run() throws InterruptedException {
    for (Advice change : changes) {
      Outcome outcome = change.action().isEngine() ? migrate(change) : decouple(change);
      outcomes.add(outcome);
      if (!outcome.isDone) {
        return false;
      }
    }
    return true;
  }

  private Outcome migrate(Advice change) throws InterruptedException {
    try (EngineMigration migration = migration(change)) {
      MigrationWatch.Outcome outcome =
          new MigrationWatch(output, WATCH_SECONDS)
              .run(migration, change.table(), change.action().toString());
      return new Outcome(change, outcome.isDone(), outcome.text());
    }
  }

  private Outcome decouple(Advice change) {
    try (DecoupledSwitch decoupled = DecoupledSwitch.open(access, change.table())) {
      return decoupled.run()
          ? new Outcome(
              change,
              true,
              change.table() + " has decoupled compaction; nodes rewrite it in the background")
          : new Outcome(
              change,
              false,
              "no node has confirmed that %s has decoupled compaction: run the command again"
                  .formatted(change.table()));
    }
  }

  /** Whether any was begun. */
  boolean hasBegun() {
    return !outcomes.isEmpty();
  }

  String text() {
    return outcomes.stream().map(Outcome::text).collect(Collectors.joining(System.lineSeparator()));
  }

  /** What {@code --json} prints of those that were begun. */
  List<Map<String, Object>> json() {
    List<Map<String, Object>> json = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("table", outcome.advice.table());
      one.put("change", outcome.advice.action().toString());
      one.put("done", outcome.isDone);
      json.add(one);
    }
    return json;
  }
}
