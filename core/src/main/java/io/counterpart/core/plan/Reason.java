package io.counterpart.core.plan;

import io.counterpart.core.runs.BatchDecision;

/** The reason why a task is due. */
public enum Reason {
  FILES_AND_BYTES("enough files, and enough bytes for a file a group"),
  LIMIT("as many waiting files as a read may have to look at"),
  IDLE("no new file for split_idle"),
  RUNS("more overlapping runs than S"),
  SPANS_GROUPS("enough bytes in sstables that span range groups"),
  ALIKE("four files of about the same size"),
  EXPIRED("every cell has expired"),
  DROPPABLE("a share of droppable tombstones above tombstone_threshold"),
  TREE("the primary tree's own choice"),
  ASKED("asked for by an operator");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** For logs and the operator. */
  public String text() {
    return text;
  }

  static Reason of(BatchDecision.Reason reason) {
    return switch (reason) {
      case COUNT_AND_BYTES -> FILES_AND_BYTES;
      case LIMIT -> LIMIT;
      case IDLE -> IDLE;
    };
  }
}
