package io.counterpart.core.staleness.decide;

/** How far levels may be changed. */
public enum AdjustmentMode {
  /** Not at all. */
  OFF,
  /** Never below the client's level. */
  RAISE,
  /** Also below it, down to a floor that the policy names. */
  LOWER
}
