package io.counterpart.cache.ownership;

import io.counterpart.cache.coding.CodeShape;

/**
 * How many of a tier's n rings a start needs before it serves, so that it shares one with each
 * other owner that can go on. An owner goes on with k rings ({@link TierLease}).
 *
 * <ul>
 *   <li>A start that takes over needs n − k + 1 rings, and k to decode: k + (n − k + 1) &gt; n.
 *   <li>k <em>proven</em> rings suffice too: the last owner of all their servers was this site's,
 *       which has ended. Somebody else who had begun since would have taken n − k + 1 rings, so at
 *       least one of these.
 * </ul>
 *
 * With k above n/2, k rings are n − k + 1. Example: of (4, 2), two owners could each have two rings
 * for themselves. So a start at another place needs three of the four; one that goes on where the
 * last one was needs two.
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
}
