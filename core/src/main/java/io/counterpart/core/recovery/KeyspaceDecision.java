package io.counterpart.core.recovery;

import java.util.List;

/** The decision on one keyspace, with its reason. */
public sealed interface KeyspaceDecision {

  /** The keyspace. */
  String keyspace();

  /** Why, for people. */
  String reason();

  /**
   * Restore it.
   *
   * @param ranges all that the node keeps of it
   * @param steps what is still to restore, in order; none if only verification is left
   * @param resumed ranges that an earlier run restored
   */
  record Restore(
      String keyspace,
      RecoveryWay way,
      String reason,
      OwnedRanges ranges,
      List<RecoveryStep> steps,
      int resumed)
      implements KeyspaceDecision {

    /** Copies. */
    public Restore {
      steps = List.copyOf(steps);
    }
  }

  /** Nothing to restore. */
  record Skip(String keyspace, String reason) implements KeyspaceDecision {}

  /** It cannot be restored as things are; nothing of the node may be touched. */
  record Refuse(String keyspace, String reason) implements KeyspaceDecision {}
}
