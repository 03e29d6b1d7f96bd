package io.counterpart.core.runs;

import java.time.Duration;
import java.util.Optional;

/** The decision whether to rewrite a queue of flushed files now, with its reason. */
public sealed interface BatchDecision {

  /** Nothing is due before more files come. */
  Wait WAIT_FOR_FILES = new Wait(Optional.empty());

  /**
   * Nothing is due yet.
   *
   * @param untilQuiet time after which the queue is rewritten if no more files come; empty if it
   *     stays as it is
   */
  record Wait(Optional<Duration> untilQuiet) implements BatchDecision {}

  /**
   * The oldest {@code files} files are rewritten together.
   *
   * @param files how many, from the oldest; ≥ 1
   * @param reason for the log and the operator
   * @param urgent true where waiting longer costs reads (the queue is at its limit)
   */
  record Rewrite(int files, Reason reason, boolean urgent) implements BatchDecision {
    public Rewrite {
      if (files < 1) {
        throw new IllegalArgumentException("files " + files + ", legal: 1 and above");
      }
    }
  }

  /** What made the rewrite due. */
  enum Reason {
    /** Enough files, and enough bytes for output files of the wished size. */
    COUNT_AND_BYTES,
    /** As many files as reads may ever have to look at. */
    LIMIT,
    /** No more files came for a while, and the queue holds a good part of the data. */
    IDLE
  }
}
