package io.counterpart.lab.workload;

/** What a client asks for; latencies are kept apart by it. */
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
