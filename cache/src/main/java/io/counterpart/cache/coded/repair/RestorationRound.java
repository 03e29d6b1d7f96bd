package io.counterpart.cache.coded.repair;

import java.util.BitSet;

/**
 * One server's way through all stripes, from where the pass is when it joins, and what is left to
 * do for it. Belongs to the shard's event loop.
 */
final class RestorationRound {
  private final StripePass pass;
  private final long beginLap;
  private final int beginStripe;

  /** Stripes with an object for which the server had no memory. */
  final BitSet refused = new BitSet();

  /** Stripes with an item that could not be decoded while other servers were out of reach. */
  final BitSet postponed = new BitSet();

  /** Stripes that are being visited for the first time. */
  int underWay;

  /** Whether postponed stripes are being visited again. */
  boolean visitsPostponed;

  /** Whether its end waits: for stripes to be visited again, or for the server. */
  boolean waits;

  /** Whether the entries of which the server has lost its copies are on their way into parity. */
  boolean catchesUp;

  /** Whether parity has them. */
  boolean caughtUp;

  RestorationRound(StripePass pass) {
    this.pass = pass;
    this.beginLap = pass.lap();
    this.beginStripe = pass.next();
  }

  /** Whether each stripe has been visited once. */
  boolean isVisited() {
    return isThrough() && underWay == 0;
  }

  /** Whether the last stripe has been started. */
  boolean isThrough() {
    return pass.lap() > beginLap + 1 || pass.lap() == beginLap + 1 && pass.next() >= beginStripe;
  }

  /**
   * Whether the server lacks more than objects for which it has no memory. These may never come.
   */
  boolean isLacking() {
    return !isVisited() || !postponed.isEmpty() || visitsPostponed || !caughtUp;
  }

  BitSet toVisitAgain() {
    BitSet all = (BitSet) refused.clone();
    all.or(postponed);
    return all;
  }

  long stripesLeft() {
    long toBegin =
        pass.lap() == beginLap
            ? (long) pass.end() - pass.next() + beginStripe
            : beginStripe - pass.next();
    return underWay + toVisitAgain().cardinality() + (isThrough() ? 0 : toBegin);
  }
}
