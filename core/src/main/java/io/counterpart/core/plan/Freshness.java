package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;

/**
 * Tells flushed sstables that span range groups from settled ones. Reads pay for each flushed
 * sstable until it is cut at the groups, so a queue of them is urgent. A settled sstable was in
 * place before the ring changed: reads meet it as before, and its rewrite can wait.
 *
 * <p>An sstable is settled if it is larger than a few flushes, or if it spans few of many groups: a
 * flush has keys of all groups, but a run that a new node's tokens cut has keys of two or three.
 * Sstables below the smallest run pass for flushed ones, since a small flush may have few keys, and
 * a queue of them is soon rewritten.
 *
 * @param mostFlushBytes bytes of the largest flush that is expected
 * @param minRunBytes bytes of the smallest run
 * @param groups range groups of the node, within the planned data directory
 */
record Freshness(long mostFlushBytes, long minRunBytes, int groups) {
  /** Flushes whose bytes a flush-sized file has at most. */
  private static final int FRESH_FLUSHES = 4;

  private static final long LEAST_FLUSH_BYTES = 1L << 20;

  /** Groups from which on a flush with keys in three of them alone is unlikely. */
  private static final int MANY_GROUPS = 4 * PlannedFile.FEW_GROUPS;

  /** Whether reads pay for each wait of the file: it spans groups and comes from a flush. */
  boolean isFresh(PlannedFile<?> file) {
    return isWide(file) && !isSettled(file);
  }

  /** Whether the file spans groups and was in place before the ring changed. */
  boolean isSettledWide(PlannedFile<?> file) {
    return isWide(file) && isSettled(file);
  }

  private static boolean isWide(PlannedFile<?> file) {
    return file.role() == Role.SEGMENT || file.role() == Role.WIDE_PRIMARY;
  }

  private boolean isSettled(PlannedFile<?> file) {
    return file.bytes() > flushSizedBytes()
        || (groups >= MANY_GROUPS
            && file.groups() <= PlannedFile.FEW_GROUPS
            && file.bytes() > minRunBytes);
  }

  private long flushSizedBytes() {
    long flush = Math.max(mostFlushBytes, minRunBytes);
    return FRESH_FLUSHES * Math.max(LEAST_FLUSH_BYTES, Math.min(flush, Long.MAX_VALUE / 8));
  }
}
