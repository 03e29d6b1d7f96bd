package io.counterpart.cache.ownership;

import io.counterpart.cache.coding.CodeShape;

/**
 * The number of a tier's n rings that a start needs before it serves, so that it shares one with
 * each other owner that can go on. An owner goes on with k rings ({@link TierLease}).
 *
 * <ul>
 *   <li>A start that takes over needs n − k + 1 rings, and k to decode: k + (n − k + 1) &gt; n.
 *   <li>k <em>proven</em> rings suffice too: the last owner of all their servers was of this site,
 *       and has ended. Another owner that had begun since would have taken n − k + 1 rings, so at
 *       least one of these.
 * </ul>
 *
 * With k above n/2, k rings are at least n − k + 1. Example: with (4, 2), two owners could each
 * have two rings for themselves. So a start at another site needs three of the four; a start at the
 * last owner's site needs two.
 *
 * @param code of the tier
 */
public record StartQuorum(CodeShape code) {
  /**
   * Whether a start may serve.
   *
   * @param ringsDown rings with a server that is not used
   * @param ringsUnproven those, and rings with a server that was claimed from nobody, or from an
   *     owner elsewhere, since the last start that served
   */
  public boolean suffices(int ringsDown, int ringsUnproven) {
    int leastRings = Math.max(code.k(), code.parityCount() + 1);
    return code.n() - ringsDown >= leastRings || code.n() - ringsUnproven >= code.k();
  }

  /**
   * Whether a start finds everything that was acknowledged. A write may be acknowledged while n − k
   * rings lack it; any other ring may be the only one that has it. To wait for a ring that is known
   * to lack items brings nothing back.
   *
   * @param ringsLate rings with a server that is not used, and of which nothing says that it lacks
   *     items
   * @param ringsMissing those, and rings with a server that lacks items, used or not
   */
  public boolean findsAll(int ringsLate, int ringsMissing) {
    return ringsLate == 0 || ringsMissing <= code.parityCount();
  }
}
