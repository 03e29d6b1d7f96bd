package io.counterpart.core.plan;

import java.util.List;

/**
 * The planner's input: the state of one strategy instance.
 *
 * @param files its live sstables
 * @param groups range groups of the node
 * @param tableBytes of the whole table on this node
 * @param flushes how large flushes are
 * @param nowMillis since the epoch
 * @param urgentInARow urgent tasks since the primary tree last had its turn
 */
public record TableState<K extends Comparable<? super K>>(
    List<PlannedFile<K>> files,
    GroupCounts groups,
    long tableBytes,
    Flushes flushes,
    long nowMillis,
    int urgentInARow) {
  public TableState {
    files = List.copyOf(files);
  }
}
