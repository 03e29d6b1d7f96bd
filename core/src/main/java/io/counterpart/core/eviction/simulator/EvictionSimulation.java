package io.counterpart.core.eviction.simulator;

import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/**
 * Replays traces against eviction by the stripe and against SIEVE with as much memory for values:
 * k/n of the tier's. The first half of a trace fills the caches, the second half is counted. The
 * same seed gives the same result. Immutable.
 */
public final class EvictionSimulation {
  private static final int LEAST_OBJECTS = 10_000;
  private static final int MOST_OBJECTS = 100_000_000;

  private final StripeCache.Code code;
  private final int objects;
  private final int requests;
  private final long seed;

  /**
   * @param objects that may be asked for, 10,000 to 100 million
   * @param requests of a trace, 2 and above
   * @throws IllegalArgumentException with the legal range
   */
  public EvictionSimulation(StripeCache.Code code, int objects, int requests, long seed) {
    if (objects < LEAST_OBJECTS || objects > MOST_OBJECTS) {
      throw new IllegalArgumentException(
          "objects is %d, legal: %d to %d".formatted(objects, LEAST_OBJECTS, MOST_OBJECTS));
    }
    if (requests < 2) {
      throw new IllegalArgumentException("requests is %d, legal: 2 and above".formatted(requests));
    }
    this.code = code;
    this.objects = objects;
    this.requests = requests;
    this.seed = seed;
  }

  /**
   * Replays one trace.
   *
   * @param memoryShare bytes for values ÷ bytes of all objects in their slots, above 0 to 1
   * @throws IllegalArgumentException with the legal range
   */
  public EvictionOutcome run(TracePreset trace, double memoryShare) {
    checkMemory(memoryShare);
    ObjectSizes sizes = trace.sizes(objects, seed);
    long valueBytes = (long) (memoryShare * sizes.totalBytes());
    long capacityBytes = valueBytes * code.n() / code.k();
    StripeCache stripes = new StripeCache(code, sizes, capacityBytes, true);
    StripeCache unmoved = new StripeCache(code, sizes, capacityBytes, false);
    double sieveHits = sieveHitShare(trace, valueBytes);
    double stripesHits = hitShare(stripes, trace);
    return new EvictionOutcome(
        trace,
        memoryShare,
        sieveHits,
        stripesHits,
        hitShare(unmoved, trace),
        (double) stripes.movedObjects() / Math.max(1, stripes.evictedObjects()));
  }

  /**
   * Checks a share of memory as {@link #run} does.
   *
   * @throws IllegalArgumentException with the legal range
   */
  public static void checkMemory(double memoryShare) {
    if (!(memoryShare > 0 && memoryShare <= 1)) {
      throw new IllegalArgumentException(
          "memory is %s of the data, legal: above 0 to 1".formatted(memoryShare));
    }
  }

  /**
   * Requests of a trace, for a cache that is no simulation: numbers of objects, from 0 on.
   *
   * @return one iterator of all of them
   */
  public PrimitiveIterator.OfInt requests(TracePreset preset) {
    Trace trace = preset.requests(objects, seed);
    return IntStream.generate(trace::next).limit(requests).iterator();
  }

  /** Bytes of all values of a trace together. */
  public long totalBytes(TracePreset trace) {
    return trace.sizes(objects, seed).totalBytes();
  }

  /** Requests at the end of a trace that count. */
  public int counted() {
    return requests / 2;
  }

  /**
   * Share of the counted requests that SIEVE answers.
   *
   * @param valueBytes memory for values, enough for the largest one
   */
  public double sieveHitShare(TracePreset trace, long valueBytes) {
    ObjectSizes sizes = trace.sizes(objects, seed);
    return hitShare(new SieveCache(valueBytes, sizes::bytes), trace);
  }

  private double hitShare(SimulatedCache cache, TracePreset preset) {
    PrimitiveIterator.OfInt trace = requests(preset);
    int hits = 0;
    for (int left = requests; left > 0; left--) {
      boolean isHit = cache.request(trace.nextInt());
      hits += isHit && left <= counted() ? 1 : 0;
    }
    return (double) hits / counted();
  }
}
