package io.counterpart.core.selection;

import java.time.Duration;

/**
 * Keeps hedged reads, for which a second replica is asked before the first one has answered, within
 * a share of all reads of the last 10 s. A replica that gets slow would else be hedged at once by
 * all of its reads, when the others have least to spare.
 *
 * <p>Looks come every {@link SelectionRules#SNAPSHOT}; nobody counts between two of them, and reads
 * that wait already are hedged after a stop. So the reads of a look and of the wait are kept in
 * reserve: those since the last look, or as many as usual if that is more, since reads are counted
 * when they end. Worked, share 5 %, 100 reads a look, so 10,000 in 10 s, and a wait of 1 ms: 500
 * may be hedged, the reserve is 101, and hedging stops above 399. Reads that double from one look
 * to the next, or a look that comes late, may exceed the share by that much.
 *
 * <p>Not thread-safe.
 */
public final class HedgeBudget {
  /** Below it the reserve would take all, above it hedging costs more than it saves. */
  public static final double LEAST_SHARE = 0.02;

  public static final double MOST_SHARE = 0.5;

  private static final double LOOK_MICROS = SelectionRules.SNAPSHOT.toNanos() / 1_000.0;
  private static final int LOOKS = (int) Duration.ofSeconds(10).dividedBy(SelectionRules.SNAPSHOT);

  private final double share;
  private final long[] reads = new long[LOOKS];
  private final long[] hedges = new long[LOOKS];
  private long readsInAll;
  private long hedgesInAll;
  private long lastReads;
  private long lastHedges;
  private int next;
  private boolean begun;

  /**
   * Allows nothing before reads were counted.
   *
   * @param share of all reads; {@link #LEAST_SHARE} to {@link #MOST_SHARE}
   */
  public HedgeBudget(double share) {
    if (!isLegal(share)) {
      throw new IllegalArgumentException(
          "share is " + share + ", legal: " + LEAST_SHARE + " to " + MOST_SHARE);
    }
    this.share = share;
  }

  /** Whether a share is in the range. */
  public static boolean isLegal(double share) {
    return share >= LEAST_SHARE && share <= MOST_SHARE;
  }

  /**
   * Whether reads may be hedged until the next look.
   *
   * @param readsSoFar since some start; fewer than before mean a new one
   * @param hedgesSoFar those of them that asked a second replica
   * @param waitMicros before a read is hedged, 0 and above
   */
  public boolean allows(long readsSoFar, long hedgesSoFar, long waitMicros) {
    boolean anew = !begun || readsSoFar < lastReads || hedgesSoFar < lastHedges;
    long latestReads = anew ? 0 : readsSoFar - lastReads;
    long latestHedges = anew ? 0 : hedgesSoFar - lastHedges;
    begun = true;
    lastReads = readsSoFar;
    lastHedges = hedgesSoFar;
    readsInAll += latestReads - reads[next];
    hedgesInAll += latestHedges - hedges[next];
    reads[next] = latestReads;
    hedges[next] = latestHedges;
    next = (next + 1) % LOOKS;
    long readsOfALook = Math.max(1, Math.max(latestReads, readsInAll / LOOKS));
    double reserve = readsOfALook * (1 + waitMicros / LOOK_MICROS);
    return hedgesInAll + reserve <= share * readsInAll;
  }
}
