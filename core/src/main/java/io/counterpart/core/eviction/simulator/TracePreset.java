package io.counterpart.core.eviction.simulator;

/**
 * Traces with published parameters. Twitter's clusters are some of those that its cache traces
 * recommend for eviction: α and the mean size of values from {@code stat/2020Mar.md} (Yang et al.,
 * OSDI '20). Scans, where there are some, make up a fifth of the requests.
 */
public enum TracePreset {
  /** YCSB's popularity, values of one size. */
  ZIPF(0.99, 100, false, false),
  ZIPF_SCANS(0.99, 100, false, true),
  TWITTER_24(1.3726, 699, true, false),
  TWITTER_29(1.2323, 799, true, false),
  TWITTER_45(0.6372, 120, true, false),
  TWITTER_52(1.2117, 273, true, false),
  TWITTER_52_SCANS(1.2117, 273, true, true);

  private static final double SCANNED_SHARE = 0.2;
  private static final int SCAN_LENGTH = 5_000;

  private final double alpha;
  private final int valueBytes;
  private final boolean sizesDiffer;
  private final boolean scans;

  TracePreset(double alpha, int valueBytes, boolean sizesDiffer, boolean scans) {
    this.alpha = alpha;
    this.valueBytes = valueBytes;
    this.sizesDiffer = sizesDiffer;
    this.scans = scans;
  }

  /** Sizes of the objects. */
  ObjectSizes sizes(int objects, long seed) {
    return sizesDiffer
        ? ObjectSizes.paretoOfMean(objects, valueBytes, seed)
        : ObjectSizes.equal(objects, valueBytes);
  }

  /** Requests for the objects; half of them are only scanned if there are scans. */
  Trace requests(int objects, long seed) {
    int popular = scans ? objects / 2 : objects;
    Trace.Scans scanned =
        scans
            ? new Trace.Scans(SCANNED_SHARE, Math.min(SCAN_LENGTH, popular), objects - popular)
            : Trace.Scans.NONE;
    return new Trace(popular, alpha, scanned, seed);
  }
}
