package io.counterpart.cassandra.consistency;

import com.codahale.metrics.Snapshot;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.cassandra.metrics.ClientRequestsMetricsHolder;

/**
 * How long reads at each level usually take through this coordinator: the 95th percentile of
 * Cassandra's own timings, which cover all tables. Taken in the background, read by requests.
 */
final class UsualTimes {
  private static final double PERCENTILE = 0.95;
  private static final double NANOS_PER_MILLI = 1e6;

  private volatile Map<ReadLevel, Long> millis = Map.of();

  /** Takes the timings of now; in microseconds, as Cassandra's timers keep them. */
  void refresh() {
    Map<ReadLevel, Long> taken = new EnumMap<>(ReadLevel.class);
    for (ReadLevel level : ReadLevel.values()) {
      if (level == ReadLevel.OTHER) {
        continue;
      }
      var timer = ClientRequestsMetricsHolder.readMetricsForLevel(Levels.cassandra(level)).latency;
      if (timer.getCount() > 0) {
        Snapshot snapshot = timer.getSnapshot();
        taken.put(level, (long) Math.ceil(nanos(snapshot.getValue(PERCENTILE)) / NANOS_PER_MILLI));
      }
    }
    millis = Map.copyOf(taken);
  }

  private static double nanos(double timerUnits) {
    return timerUnits * 1_000;
  }

  OptionalLong of(ReadLevel level) {
    Long usual = millis.get(level);
    return usual == null ? OptionalLong.empty() : OptionalLong.of(usual);
  }
}
