package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;

/**
 * One sstable as the planner sees it.
 *
 * @param number names it in decisions
 * @param role what it holds
 * @param group its range group; of no meaning where the role spans several
 * @param bytes on disk
 * @param createdMillis when its data were written to disk, since the epoch
 * @param first smallest key
 * @param last largest key, not below {@code first}
 * @param state what else bears on its choice
 * @param <K> the keys' type
 */
public record PlannedFile<K extends Comparable<? super K>>(
    int number,
    Role role,
    int group,
    long bytes,
    long createdMillis,
    K first,
    K last,
    FileState state) {

  public PlannedFile {
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
