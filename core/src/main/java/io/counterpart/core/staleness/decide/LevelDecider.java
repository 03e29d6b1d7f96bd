package io.counterpart.core.staleness.decide;

import java.util.List;

/**
 * Chooses the level of a read: the smallest number of replicas of which the probability of a stale
 * read is at most ε, unless a {@link SafetyRule} keeps the client's level. Stateless and
 * thread-safe.
 *
 * <p>Worked, N = 3, ε = 1 %, upper bounds 2.1 % for one replica and 0.4 % for two: a read at ONE is
 * raised to TWO; a read at QUORUM stays; with mode {@code lower} and floor ONE it stays too.
 *
 * <p>Paper: CRS, consistent replica selection. Deviates: the paper's loop adds replicas while
 * staleness is acceptable.
 */
public final class LevelDecider {
  private final List<SafetyRule> rules;

  /** With all rules. */
  public LevelDecider() {
    this(List.of(SafetyRule.values()));
  }

  /** Tests leave rules out, to see that each is needed. */
  LevelDecider(List<SafetyRule> rules) {
    this.rules = rules;
  }

  /** The level and its reason. */
  public LevelDecision decide(ConsistencyPolicy policy, ReadRequest request, Evidence evidence) {
    return decide(new SafetyRead(policy, request, evidence), rules);
  }

  private static LevelDecision decide(SafetyRead read, List<SafetyRule> rules) {
    ReadLevel client = read.request.clientLevel();
    for (int i = 0; i < rules.size(); i++) {
      SafetyRule rule = rules.get(i);
      if (!rule.keeps(read)) {
        continue;
      }
      if (rule != SafetyRule.LATER_PAGE) {
        return LevelDecision.notLower(client, rule);
      }
      ReadLevel level = read.laterPageLevel(decide(read, rules.subList(i + 1, rules.size())));
      return new LevelDecision(level, rule, read.isBelowClient(level));
    }
    return read.proposal()
        .map(proposal -> new LevelDecision(proposal.level(), proposal.outcome(), proposal.lowers()))
        .orElseGet(() -> LevelDecision.notLower(client, SafetyRule.WARM_UP));
  }
}
