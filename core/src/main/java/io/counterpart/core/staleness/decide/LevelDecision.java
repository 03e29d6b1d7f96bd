package io.counterpart.core.staleness.decide;

/**
 * The level to read at, and why.
 *
 * @param level equals the client's unless the reason says otherwise
 */
public record LevelDecision(ReadLevel level, DecisionReason reason) {
  /** The client's level, because of a failure. */
  public static LevelDecision failed(ReadLevel clientLevel) {
    return new LevelDecision(clientLevel, LevelOutcome.PLUGIN_ERROR);
  }
}
