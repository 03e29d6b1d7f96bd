package io.counterpart.lab.workload;

/** The kind of an operation; each kind has its own latencies. */
public enum OperationKind {
  /** One row. */
  READ,
  /** Overwrite of a row that exists. */
  UPDATE,
  /** A new row. */
  INSERT,
  /** Consecutive rows. */
  SCAN,
  /** A read, then an overwrite of the same row. */
  READ_MODIFY_WRITE
}
