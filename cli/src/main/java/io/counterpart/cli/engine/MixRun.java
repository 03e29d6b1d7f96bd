package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.lab.remote.mix.MixPlan;
import io.counterpart.lab.remote.mix.MixedKeyspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries a change of a mix out: where it is needed a repair, then the schema, then the repair.
 *
 * @param repairs empty where nodes are reached by CQL alone
 * @param isRepaired whether the repair before the change was done by hand
 */
record MixRun(Output output, Optional<LocalRepairs> repairs, boolean isRepaired) {

  /**
   * How it stands at the end.
   *
   * @param text for people
   */
  record Outcome(int exitCode, Map<String, Object> json, String text) {
    boolean isDone() {
      return exitCode == ExitCodes.OK;
    }
  }

  /** Says on standard error what goes on. The levels have been looked at. */
  Outcome run(MixedKeyspace keyspace, MixPlan plan) throws InterruptedException {
    MixView view = new MixView(plan);
    output.progress(
        plan.isDone()
            ? view.text()
                + "; the repair is repeated. Keep the levels of the first call until its end"
            : "changing the mix of %s to %s; if this is cut off, keep the levels and run %s with them"
                .formatted(plan.keyspace(), plan.own().to(), view.again()));
    Optional<Outcome> failed = repairFirst(keyspace, plan, view);
    if (failed.isPresent()) {
      return failed.get();
    }
    repairs.ifPresent(each -> each.unrepaired(plan.keyspace()).begin(plan));
    if (!keyspace.alter(plan)) {
      return new Outcome(
          ExitCodes.FAILURE,
          view.json("not known to all nodes", List.of()),
          "whether all nodes know the new mix is not certain: keep the levels, and run "
              + view.again()
              + " with them");
    }
    if (repairs.isEmpty()) {
      return new Outcome(
          ExitCodes.OK, view.json("to be repaired", List.of()), view.repairs(keyspace.nodes()));
    }
    List<String> repaired = repairs.get().run(plan.keyspace());
    if (repaired.size() < repairs.get().nodes().size()) {
      return new Outcome(
          ExitCodes.FAILURE,
          view.json("repair failed", repaired),
          "the repair is not done: keep the levels, and run " + view.again() + " with them");
    }
    if (!repairs.get().isSettled() || !keyspace.isAsAltered(plan)) {
      return new Outcome(
          ExitCodes.FAILURE,
          view.json("repair failed", repaired),
          "nodes have joined or left since the begin of the repair, or the mix is another one, so"
              + " copies may be empty: let none join or leave, keep the levels, and run "
              + view.again()
              + " with them");
    }
    repairs.get().unrepaired(plan.keyspace()).end();
    return new Outcome(ExitCodes.OK, view.json("done", repaired), view.after());
  }

  /**
   * Looks whether the mix of now is repaired, as far as this machine knows.
   *
   * @throws io.counterpart.cli.console.PreconditionException if it is not
   */
  void requireRepaired(MixPlan plan) {
    repairs.ifPresent(each -> each.unrepaired(plan.keyspace()).require(plan));
  }

  /** How it stands if the change must not begin. */
  private Optional<Outcome> repairFirst(MixedKeyspace keyspace, MixPlan plan, MixView view)
      throws InterruptedException {
    if (plan.isDone() || isRepaired || !plan.change().isRepairedFirst()) {
      return Optional.empty();
    }
    if (repairs.isEmpty()) {
      return Optional.of(
          new Outcome(
              ExitCodes.PRECONDITION,
              view.json("nothing was changed", List.of()),
              view.repairsBefore(keyspace.nodes())));
    }
    output.progress("a repair comes first");
    keyspace.awaitWrites();
    List<String> done = repairs.get().run(plan.keyspace());
    return done.size() == repairs.get().nodes().size()
        ? Optional.empty()
        : Optional.of(
            new Outcome(
                ExitCodes.FAILURE,
                view.json("nothing was changed", done),
                "the repair before the change is not done, so nothing was changed"));
  }
}
