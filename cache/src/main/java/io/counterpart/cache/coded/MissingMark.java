package io.counterpart.cache.coded;

/** What it means that a server which is used has shown no mark. Thread-safe: immutable. */
enum MissingMark {
  /** The mark was being written when it was asked for, and is there by now: the next look tells. */
  OUTDATED,

  /** The mark is being written, and whether that has dropped it the end of it tells. */
  IN_WRITING,

  /**
   * A refused mark of ours may have dropped it, and the lease is valid. Another owner's mark is
   * there for longer than a lease before that owner uses the server, so there was none at the time
   * of the question: this counts as the own mark.
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
    if (isNoting && !hasDropped) {
      return IN_WRITING;
    }
    if (isNoting) {
      return isLeased ? DROPPED : UNRELIABLE;
    }
    if (wasNoting) {
      return OUTDATED;
    }
    return isLeased ? EMPTIED : UNRELIABLE;
  }
}
