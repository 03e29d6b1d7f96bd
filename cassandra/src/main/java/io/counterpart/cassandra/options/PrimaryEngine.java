package io.counterpart.cassandra.options;

/** The stock strategy that runs an LSM-tree. */
public enum PrimaryEngine {
  UCS,
  LCS
}
