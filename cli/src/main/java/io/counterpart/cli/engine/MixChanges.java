package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import io.counterpart.lab.remote.mix.MixPlan;
import io.counterpart.lab.remote.mix.MixedKeyspace;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The mixes that advice would change in place, changed one keyspace after the other. */
final class MixChanges {
  private final RemoteAccess access;
  private final MixRun run;
  private final MixLevels levels;
  private final Map<String, EngineMix> wanted = new LinkedHashMap<>();
  private final List<MixRun.Outcome> outcomes = new ArrayList<>();

  /**
   * @param levels of reads, and of writes; without those of reads nothing is changed
   */
  MixChanges(RemoteAccess access, MixRun run, WorkloadAdvice advice, MixLevels levels) {
    this.access = access;
    this.run = run;
    this.levels = levels;
    if (levels.reads().isPresent()) {
      for (WorkloadAdvice.OnMix mix : advice.mixes()) {
        if (mix.advice().changes()) {
          mix.keyspaces().forEach(keyspace -> wanted.put(keyspace, mix.wanted()));
        }
      }
    }
  }

  int count() {
    return wanted.size();
  }

  /**
   * Looks whether each can begin, before any does.
   *
   * @throws RunRefusedException as {@code engine mix} would
   */
  void requirePossible() {
    run.repairs().ifPresent(LocalRepairs::requireRunning);
    wanted.forEach(
        (name, mix) -> {
          try (MixedKeyspace keyspace = MixedKeyspace.open(access, name)) {
            MixPlan plan = keyspace.plan(null, mix);
            run.requireRepaired(plan);
            levels.require(plan);
          }
        });
  }

  /**
   * Ends with the first one that is not done; returns whether all were.
   *
   * @throws RunRefusedException if one cannot begin any more
   * @throws io.counterpart.cli.console.PreconditionException likewise, for want of a repair
   */
  boolean run() throws InterruptedException {
    for (Map.Entry<String, EngineMix> change : wanted.entrySet()) {
      try (MixedKeyspace keyspace = MixedKeyspace.open(access, change.getKey())) {
        MixPlan plan = keyspace.plan(null, change.getValue());
        if (!plan.isDone()) {
          run.requireRepaired(plan);
          levels.require(plan); // the ring may be another one than before the tables changed
        }
        MixRun.Outcome outcome = run.run(keyspace, plan);
        outcomes.add(outcome);
        if (!outcome.isDone()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether any has come further than a refusal. */
  boolean hasChanged() {
    return outcomes.stream().anyMatch(outcome -> outcome.exitCode() != ExitCodes.PRECONDITION);
  }

  /** Whether any was begun. */
  boolean hasBegun() {
    return !outcomes.isEmpty();
  }

  List<String> text() {
    return outcomes.stream().map(MixRun.Outcome::text).toList();
  }

  /** What {@code --json} prints of those that were begun. */
  List<Map<String, Object>> json() {
    return outcomes.stream().map(MixRun.Outcome::json).toList();
  }
}
