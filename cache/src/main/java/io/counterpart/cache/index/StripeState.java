package io.counterpart.cache.index;

/** The phase of a stripe's life. */
public enum StripeState {
  /** No stripe: the number is unused. */
  FREE,
  /** Takes new objects; its parity is not encoded yet. */
  OPEN,
  /** Encoded: objects change by deltas. */
  SEALED
}
