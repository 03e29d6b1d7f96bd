package io.counterpart.core.selection.simulator;

import io.counterpart.core.selection.SelectionRules;
import java.util.SplittableRandom;

/** The rules that can be compared. */
public enum RuleKind {
  NR("nr"),
  PRIMARY_FIRST("primary-first"),
  DYNAMIC_SNITCH("dynamic 1.0"),
  EAGER_DYNAMIC_SNITCH("dynamic 0.1"),
  C3("c3"),
  RANDOM("random");

  private final String label;

  RuleKind(String label) {
    this.label = label;
  }

  /** The name in tables and results. */
  public String label() {
    return label;
  }

  ReplicaRule at(int coordinator, int coordinators, SelectionRules nr, SplittableRandom random) {
    return switch (this) {
      case NR -> new NearestReplicaRule(coordinator, nr);
      case PRIMARY_FIRST -> new PrimaryFirstRule();
      case DYNAMIC_SNITCH -> new DynamicSnitchRule(coordinator, 1, random);
      case EAGER_DYNAMIC_SNITCH -> new DynamicSnitchRule(coordinator, 0.1, random);
      case C3 -> new C3Rule(coordinators);
      case RANDOM -> new RandomRule(random);
    };
  }
}
