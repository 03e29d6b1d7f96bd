package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;

/**
 * One sstable as the planner sees it.
 *
 * @param number its name in decisions
 * @param role the kind of copies in it
 * @param group its range group; meaningless where the role spans several
 * @param groups of the node's range groups between its keys, ≥ 0; counts above {@link #FEW_GROUPS}
 *     may be cut to {@code FEW_GROUPS + 1}
 * @param bytes on disk
 * @param createdMillis time of the write to disk, since the epoch
 * @param first smallest key
 * @param last largest key, not below {@code first}
 * @param state further conditions on its choice
 * @param <K> the keys' type
 */
public record PlannedFile<K extends Comparable<? super K>>(
    int number,
    Role role,
    int group,
    int groups,
    long bytes,
    long createdMillis,
    K first,
    K last,
    FileState state) {
  /** Groups that a run spans at most once a node has joined or left: its own, cut at new tokens. */
  public static final int FEW_GROUPS = 3;

  public PlannedFile {
    if (groups < 0) {
      throw new IllegalArgumentException("groups " + groups + ", legal: 0 and above");
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + ", legal: 0 and above");
    }
    if (first.compareTo(last) > 0) {
      throw new IllegalArgumentException("first key " + first + " above last key " + last);
    }
  }

  boolean isFree() {
    return !state.busy();
  }

  /** Whether all of it lies in one range group. */
  public boolean isAligned() {
    return role == Role.PRIMARY || role == Role.RUN;
  }
}
