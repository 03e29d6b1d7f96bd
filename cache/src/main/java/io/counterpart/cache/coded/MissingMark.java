package io.counterpart.cache.coded;

/** What it means that a server which is used has shown no mark. Thread-safe: immutable. */
enum MissingMark {
  /** The mark was being written when it was asked for, and is there by now: the next look tells. */
  OUTDATED,

  /** The mark is being written, and whether that has dropped it the end of it tells. */
  IN_WRITING,

  /**
   * A refused mark of ours may have dropped it. Nobody else had claimed the server at the time of
   * the question, and whoever does waits for a lease: so this counts as the own mark.
   */
  DROPPED,

  /** Somebody has emptied it. Within its lease nobody else can have used it. */
  EMPTIED,

  /** Somebody may have used it since its lease was over. */
  UNRELIABLE;

  /**
   * Judges.
   *
   * @param wasNoting whether its mark was being written when it was asked for
   * @param isNoting whether it is now
   * @param hasDropped see {@link Marks#hasDropped}
   * @param isLeased whether the server's lease is valid
   */
  static MissingMark of(boolean wasNoting, boolean isNoting, boolean hasDropped, boolean isLeased) {
    if (isNoting) {
      return hasDropped ? DROPPED : IN_WRITING;
    }
    if (wasNoting) {
      return OUTDATED;
    }
    return isLeased ? EMPTIED : UNRELIABLE;
  }
}
