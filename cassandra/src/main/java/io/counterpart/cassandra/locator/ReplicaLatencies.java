package io.counterpart.cassandra.locator;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.LatencySubscribers;

/**
 * Read latencies of the replicas as this coordinator measures them, and the share of rows that a
 * slow replica loses.
 *
 * <p>A replica is slow when its latency, the {@link RecentTimings#meanNanos} of its latest reads,
 * exceeds a limit, {@code factor} times the best latency among the candidates plus {@code slack}.
 * It then loses a share of its rows that grows with its latency and reaches all of them at four
 * times the limit. The other replicas do not have these rows in their caches: a part is often
 * enough, and more would make those replicas slow in turn. A replica without timings for 10 s
 * counts as fast again, because an avoided replica gets no reads and must be able to come back.
 *
 * <p>Thread-safe. Deviates from Cassandra's dynamic snitch, whose scores are medians in whole
 * milliseconds: the coordinator's own copy then often scores 0, and any replica that takes a
 * millisecond counts as infinitely worse.
 */
final class ReplicaLatencies implements LatencySubscribers.Subscriber {
  static final Duration REMEMBERED = Duration.ofSeconds(10);

  /**
   * What a replica without timings is taken for, as an alternative to a slow one: as slow as a disk
   * that is not busy.
   */
  static final Duration PRESUMED = Duration.ofMillis(10);

  /** Between losing its first row and its last one, a latency grows by so many times the limit. */
  private static final double LIMITS_TO_LOSE_ALL = 3;

  private final ConcurrentMap<InetAddressAndPort, RecentTimings> timings =
      new ConcurrentHashMap<>();
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
    timings
        .computeIfAbsent(replica, unused -> new RecentTimings(REMEMBERED))
        .add(unit.toNanos(latency), nanoClock.getAsLong());
  }

  /**
   * The candidates that are slow, each with the share of its rows that others are to serve, above 0
   * and up to 1; the best candidate never is.
   */
  Map<InetAddressAndPort, Double> slowAmong(Set<InetAddressAndPort> candidates) {
    long now = nanoClock.getAsLong();
    Map<InetAddressAndPort, Double> known = new HashMap<>();
    for (InetAddressAndPort candidate : candidates) {
      RecentTimings recent = timings.get(candidate);
      OptionalDouble mean = recent == null ? OptionalDouble.empty() : recent.meanNanos(now);
      mean.ifPresent(nanos -> known.put(candidate, nanos));
    }
    double best = known.size() < candidates.size() ? PRESUMED.toNanos() : Double.MAX_VALUE;
    for (double nanos : known.values()) {
      best = Math.min(best, nanos);
    }
    double limit = factor * best + slackNanos;
    Map<InetAddressAndPort, Double> slow = new HashMap<>();
    known.forEach(
        (candidate, nanos) -> {
          if (nanos > limit) {
            slow.put(candidate, Math.min(1, (nanos - limit) / (LIMITS_TO_LOSE_ALL * limit)));
          }
        });
    return slow;
  }
}
