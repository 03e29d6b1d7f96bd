package io.counterpart.lab.tier.client;

import io.counterpart.lab.result.LatencySummary;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The outcome of a client's requests.
 *
 * @param operations successful answers; a read of an absent object is none
 * @param failed refused, or absent
 * @param nanos wall time from the first request to the last answer
 * @param reads latencies of reads, microseconds
 * @param writes latencies of writes, microseconds
 */
public record ClientOutcome(
    long operations, long failed, long nanos, Histogram reads, Histogram writes) {
  /** Latencies by kind of operation, as results have them. */
  public Map<String, LatencySummary> latencies() {
    Map<String, LatencySummary> kinds = new LinkedHashMap<>();
    if (reads.getTotalCount() > 0) {
      kinds.put("read", LatencySummary.of(reads));
    }
    if (writes.getTotalCount() > 0) {
      kinds.put("update", LatencySummary.of(writes));
    }
    return kinds;
  }
}
