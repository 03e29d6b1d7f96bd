package io.counterpart.cassandra.report;

import io.counterpart.core.ring.Role;

/**
 * One live sstable.
 *
 * @param id its generation, as in the file name
 * @param role the kind of copies in it; null where this node has no ring yet
 * @param group its range group, or -1 where it spans several
 * @param sizeBytes data on disk
 * @param otherFormat whether its next rewrite changes its compression
 * @param createdMillis when its data file was written, since the epoch
 */
public record SSTableReport(
    String id, Role role, int group, long sizeBytes, boolean otherFormat, long createdMillis) {
  /** Whether it would stream whole: all of it lies in one range group. */
  public boolean isAligned() {
    return group >= 0;
  }
}
