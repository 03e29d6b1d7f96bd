package io.counterpart.core.engine;

/**
 * Whether a table's sstables go into its store now.
 *
 * @param reason for operators, a phrase
 */
public record AbsorptionDecision(boolean absorbs, String reason) {

  /**
   * The rule. Sstables of a spill are there for somebody who reads them right after it, so they
   * stay for a while.
   */
  public static AbsorptionDecision of(AbsorptionFacts facts) {
    if (facts.delay() == null) {
      return no("absorb_sstables_after is never");
    }
    if (!facts.current()) {
      return no("the table is on another engine");
    }
    if (!facts.next().absorbs()) {
      return no(facts.next().reason());
    }
    if (!facts.compacting()) {
      return no("autocompaction is disabled");
    }
    if (facts.spills() > 0) {
      return no("a spill is running");
    }
    return facts.quiet().compareTo(facts.delay()) < 0
        ? no("the last spill is younger than " + facts.delay().toSeconds() + " s")
        : new AbsorptionDecision(true, "sstables are read into the store");
  }

  private static AbsorptionDecision no(String reason) {
    return new AbsorptionDecision(false, reason);
  }
}
