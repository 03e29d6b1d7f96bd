package io.counterpart.core.staleness.decide;

/** The reasons of reads that no safety rule stopped. */
public enum LevelOutcome implements DecisionReason {
  /** The client's level is the smallest that keeps the bound, or may not be lowered further. */
  CLIENT_LEVEL_SUFFICES,
  /** More replicas than the client asked for: fewer do not keep the bound. */
  RAISED,
  /** No level keeps the bound: the one with the most replicas, which may be the client's. */
  BOUND_UNMET,
  /** Fewer replicas than the client asked for keep the bound. */
  LOWERED,
  /** Fewer would keep the bound, but for the floor. */
  LOWERED_TO_FLOOR,
  /** More replicas were asked and did not answer: the client's level after all. */
  RAISE_FAILED,
  /** The plugin failed: the client's level. */
  PLUGIN_ERROR
}
