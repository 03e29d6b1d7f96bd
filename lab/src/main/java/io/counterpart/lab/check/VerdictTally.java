package io.counterpart.lab.check;

import io.counterpart.lab.check.RowCheck.Verdict;
import java.util.List;

/** Counts verdicts. Not thread-safe. */
public final class VerdictTally {
  private long neverWritten;
  private long lost;
  private long wrong;

  /**
   * Counts one.
   *
   * @return whether it is bad
   */
  public boolean add(Verdict verdict) {
    switch (verdict) {
      case INTACT -> {
        return false;
      }
      case NEVER_WRITTEN -> {
        neverWritten++;
        return false;
      }
      case LOST -> lost++;
      case WRONG -> wrong++;
    }
    return true;
  }

  /**
   * The outcome. What was never written counts as unchecked.
   *
   * @param judged rows with a verdict
   * @param unread rows without one
   */
  public CheckOutcome outcome(long judged, long unread, List<String> examples) {
    return new CheckOutcome(judged - neverWritten, lost, wrong, unread, examples);
  }
}
