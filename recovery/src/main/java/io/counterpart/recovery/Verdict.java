package io.counterpart.recovery;

/** The outcome of the comparison of all replicas by digest. */
public enum Verdict {
  /** Every replica of every range that the node keeps has the same data. */
  IN_SYNC,
  /** Some replicas differ. */
  DIFFERENT,
  /** It could not be compared, for example since a replica is down. */
  UNVERIFIED
}
