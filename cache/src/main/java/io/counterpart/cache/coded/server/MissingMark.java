package io.counterpart.cache.coded.server;

/** The meaning of a missing mark on a server in use. Thread-safe: immutable. */
enum MissingMark {
  /** The mark was being written when it was requested, and exists by now: the next look decides. */
  OUTDATED,

  /** The mark is being written; the end of that shows whether the server dropped it. */
  IN_WRITING,

  /**
   * The server may have dropped the mark when it refused one of ours, and the lease is valid.
   * Another owner's mark exists for longer than a lease before that owner uses the server. So it
   * had none at the time of the question, and this counts as the own mark.
   */
  DROPPED,

  /** Somebody has emptied the server. Within its lease nobody else can have used it. */
  EMPTIED,

  /** Somebody may have used the server since its lease was over. */
  UNRELIABLE;

  /**
   * Classifies a missing mark.
   *
   * @param wasNoting whether the mark was being written when it was requested
   * @param isNoting whether it is being written now
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
