package io.counterpart.lab.tier.network;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The simulated network between the proxy and each server.
 *
 * @param roundTrip added to each request and its answer together, 0 to 100 ms
 * @param bytesPerSecond of each server and direction; 0 for no cap
 */
public record TierNetwork(Duration roundTrip, long bytesPerSecond) {
  private static final Duration MAX_ROUND_TRIP = Duration.ofMillis(100);

  /** Plain loopback. Declared after the limit, which it needs. */
  public static final TierNetwork DIRECT = new TierNetwork(Duration.ZERO, 0);

  /** Checks every range. */
  public TierNetwork {
    if (roundTrip.isNegative() || roundTrip.compareTo(MAX_ROUND_TRIP) > 0) {
      throw new IllegalArgumentException(
          "round trip %s: must be 0 to %s".formatted(roundTrip, MAX_ROUND_TRIP));
    }
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bytes per second %d: must be at least 0".formatted(bytesPerSecond));
    }
  }

  /** Whether nothing is added. */
  public boolean isDirect() {
    return roundTrip.isZero() && bytesPerSecond == 0;
  }

  /** The network in the form of results. */
  public Map<String, Object> describe() {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("by", isDirect() ? "loopback" : "a relay within the lab, one thread for all");
    if (!isDirect()) {
      described.put("roundTripMicros", roundTrip.toNanos() / 1000);
      described.put("bytesPerSecond", bytesPerSecond);
    }
    return described;
  }
}
