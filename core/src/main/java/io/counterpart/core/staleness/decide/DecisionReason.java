package io.counterpart.core.staleness.decide;

import java.util.Locale;

/** Why a read got its level. */
public sealed interface DecisionReason permits SafetyRule, LevelOutcome {
  /** The name of the constant. */
  String name();

  /** As operators and clients see it, such as {@code replica_down}. */
  default String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
