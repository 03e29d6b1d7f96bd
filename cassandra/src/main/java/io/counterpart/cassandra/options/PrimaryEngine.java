package io.counterpart.cassandra.options;

/** A stock strategy that can run an LSM-tree. */
public enum PrimaryEngine {
  UCS,
  LCS
}
