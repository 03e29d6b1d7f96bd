package io.counterpart.cache.index;

/** What a stripe is good for. */
public enum StripeState {
  /** No stripe: the number is unused. */
  FREE,
  /** Takes new objects; its parity is not encoded yet. */
  OPEN,
  /** Encoded: objects change by deltas. */
  SEALED
}
