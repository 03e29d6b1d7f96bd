package io.counterpart.cassandra.locator;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.LatencySubscribers;

/**
 * Read latencies of the replicas, as this coordinator sees them, and which of them are slow.
 *
 * <p>A replica is slow when its mean exceeds {@code factor} times the best mean among the
 * candidates plus {@code slack}. The mean moves by 1/32 of each new timing and starts at 0, so that
 * one slow read, or the first after a start, is no evidence, while one time-out is. A replica
 * without timings for 10 s counts as fast again: an avoided replica gets none and must be able to
 * come back.
 *
 * <p>Thread-safe. Deviates from Cassandra's dynamic snitch, whose scores are medians in whole
 * milliseconds: the coordinator's own copy then often scores 0, and any replica that takes a
 * millisecond counts as infinitely worse.
 */
final class ReplicaLatencies implements LatencySubscribers.Subscriber {
  static final Duration REMEMBERED = Duration.ofSeconds(10);

  /**
   * What a replica without timings is taken for, as an alternative to a slow one: as slow as a disk
   * under load. Less, and reads of a busy cluster would go to redundant copies that are no faster;
   * more, and one time-out of a read would be no evidence.
   */
  static final Duration PRESUMED = Duration.ofMillis(40);

  private static final double WEIGHT = 1.0 / 32;

  private final ConcurrentMap<InetAddressAndPort, Mean> means = new ConcurrentHashMap<>();
  private final double factor;
  private final long slackNanos;
  private final LongSupplier nanoClock;

  /**
   * Starts without timings.
   *
   * @param factor 1 or more
   * @param slack not negative
   * @param nanoClock monotonic, nanoseconds
   */
  ReplicaLatencies(double factor, Duration slack, LongSupplier nanoClock) {
    this.factor = factor;
    this.slackNanos = slack.toNanos();
    this.nanoClock = nanoClock;
  }

  @Override
  public void receiveTiming(InetAddressAndPort replica, long latency, TimeUnit unit) {
    double nanos = unit.toNanos(latency);
    long now = nanoClock.getAsLong();
    means.compute(
        replica,
        (unused, mean) -> {
          double before = mean == null || mean.isForgotten(now) ? 0 : mean.nanos;
          return new Mean(before + WEIGHT * (nanos - before), now);
        });
  }

  /** The candidates that are slow; the best candidate never is. */
  Set<InetAddressAndPort> slowAmong(Set<InetAddressAndPort> candidates) {
    long now = nanoClock.getAsLong();
    Map<InetAddressAndPort, Double> known = new HashMap<>();
    for (InetAddressAndPort candidate : candidates) {
      Mean mean = means.get(candidate);
      if (mean != null && !mean.isForgotten(now)) {
        known.put(candidate, mean.nanos);
      }
    }
    double best = known.size() < candidates.size() ? PRESUMED.toNanos() : Double.MAX_VALUE;
    for (double nanos : known.values()) {
      best = Math.min(best, nanos);
    }
    double limit = factor * best + slackNanos;
    Set<InetAddressAndPort> slow = new HashSet<>();
    known.forEach(
        (candidate, nanos) -> {
          if (nanos > limit) {
            slow.add(candidate);
          }
        });
    return slow;
  }

  private record Mean(double nanos, long atNanos) {
    boolean isForgotten(long now) {
      return now - atNanos > REMEMBERED.toNanos();
    }
  }
}
