package io.counterpart.core.staleness.decide;

/**
 * The level to read at, and why.
 *
 * @param level equals the client's unless the reason says otherwise
 * @param lowers whether the level waits for fewer replicas than the client's; reasons do not tell,
 *     as a later page may be lowered or raised
 */
public record LevelDecision(ReadLevel level, DecisionReason reason, boolean lowers) {
  /** Of a level that is not below the client's. */
  public static LevelDecision notLower(ReadLevel level, DecisionReason reason) {
    return new LevelDecision(level, reason, false);
  }

  /** The client's level, because of a failure. */
  public static LevelDecision failed(ReadLevel clientLevel) {
    return notLower(clientLevel, LevelOutcome.PLUGIN_ERROR);
  }
}
