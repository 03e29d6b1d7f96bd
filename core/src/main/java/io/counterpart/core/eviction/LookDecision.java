package io.counterpart.core.eviction;

/**
 * What becomes of the stripe at the hand.
 *
 * <p>A merge reads each object that stays, once, and so costs the more for each freed slot the more
 * objects stay: at a share s, s ÷ (1 − s) reads. At {@link #KEPT_SHARE} that is four, and about
 * what a write costs. A fuller stripe stays as it is; its unread objects live until the hand comes
 * again.
 */
public enum LookDecision {
  /** No object was read: all leave, and nothing moves. */
  FREE,
  /** Objects that were read move to a new stripe; the others leave. */
  MERGE,
  /** The stripe stays whole, and its objects have to be read again. */
  KEEP;

  /** Share of a stripe's slots with objects that were read, above which it stays. */
  public static final double KEPT_SHARE = 0.8;

  /**
   * Looks in vain that it takes to give up one more object that was read, where nothing can move.
   */
  private static final int LOOKS_PER_READ = 16;

  /**
   * Decides.
   *
   * @param read objects that were read since the hand was there, 0 and above
   * @param slots of the stripe, used and unused
   */
  public static LookDecision of(int read, int slots) {
    if (read == 0) {
      return FREE;
    }
    return read > KEPT_SHARE * slots ? KEEP : MERGE;
  }

  /**
   * Decides where objects cannot move: those that were read leave with the others, or all stay.
   * Stripes without such an object leave first. If there are none for a while, those with one do,
   * then those with two, so that a stripe is found in the end however much is read.
   *
   * @param read objects that were read since the hand was there, 0 and above
   * @param looks since a stripe left, 0 and above
   */
  public static LookDecision withoutMoves(int read, int looks) {
    return read <= looks / LOOKS_PER_READ ? FREE : KEEP;
  }
}
