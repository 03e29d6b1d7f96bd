package io.counterpart.core.engine;

/**
 * Whether a sweep purges a table's store now.
 *
 * @param reason for operators, a phrase
 */
public record SweepDecision(boolean sweeps, String reason) {

  /**
   * The rule. A sweep that could purge nothing would read all of the store in vain, so it waits. It
   * goes on where it was.
   */
  public static SweepDecision of(SweepFacts facts) {
    SweepConditions table = facts.table();
    if (facts.delay() == null) {
      return no("sweep_after is never");
    }
    if (!table.current()) {
      return no("the table is on another engine");
    }
    if (table.inMemory()) {
      return no("a store in memory alone keeps deletions");
    }
    if (table.keepsDeletions()) {
      return no("only_purge_repaired_tombstones or neverPurgeTombstones keeps deletions");
    }
    if (table.serverAway()) {
      return no("the engine's server is away");
    }
    if (table.frozen()) {
      return no("a spill is running, or failed, and its store may have what deletions hide");
    }
    if (!facts.walking() && facts.quiet().compareTo(facts.delay()) < 0) {
      return no(
          "the last sweep, or the opening of the table, is less than %d s ago"
              .formatted(facts.delay().toSeconds()));
    }
    return facts.covered()
        ? new SweepDecision(true, "the store is swept")
        : no("a flush is running, or failed: a commit log replay would begin before it");
  }

  private static SweepDecision no(String reason) {
    return new SweepDecision(false, reason);
  }
}
