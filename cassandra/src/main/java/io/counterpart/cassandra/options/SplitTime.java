package io.counterpart.cassandra.options;

/** The time at which redundant copies are cut into range groups. */
public enum SplitTime {
  /** At flush: straight to sorted runs, no segments. */
  FLUSH,
  /** Later, from segments of the global log. */
  BACKGROUND,
  /** At flush where a flush gives every group at least {@code min_run_size}, else later. */
  AUTO
}
