package io.counterpart.core.plan;

/**
 * Counts urgent tasks since the primary tree had its turn, for {@link Planner#URGENT_BEFORE_TREE}.
 * Not thread-safe.
 */
public final class TreeTurn {
  private int urgentInARow;

  public int urgentInARow() {
    return urgentInARow;
  }

  /** The task of a decision is about to run. */
  public void begin(Decision decision) {
    urgentInARow = decision.urgent() ? urgentInARow + 1 : 0;
  }

  /** The tree was asked for its next task, and has none. */
  public void idle() {
    urgentInARow = 0;
  }
}
