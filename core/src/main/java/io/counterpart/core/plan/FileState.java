package io.counterpart.core.plan;

/**
 * The conditions, beside role, size and age, that affect the choice of a file.
 *
 * @param busy held by another task, or not to be compacted
 * @param expired every cell has expired, and no overlapping file holds data that the file shadows
 * @param droppableShare of its cells that are droppable tombstones, 0 to 1; 0 where the file is too
 *     young to be rewritten for them
 * @param purgeableAlone a rewrite of the file alone would drop enough tombstones
 */
public record FileState(
    boolean busy, boolean expired, double droppableShare, boolean purgeableAlone) {
  /** Free, and nothing in it to purge. */
  public static final FileState FREE = new FileState(false, false, 0, false);

  /** Held by another task. */
  public static final FileState BUSY = new FileState(true, false, 0, false);

  /** Free, and all of it can go. */
  public static final FileState EXPIRED = new FileState(false, true, 1, false);

  public FileState {
    if (!(droppableShare >= 0 && droppableShare <= 1)) {
      throw new IllegalArgumentException("droppableShare " + droppableShare + ", legal: 0 to 1");
    }
  }
}
