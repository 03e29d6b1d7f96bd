package io.counterpart.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One block: some operations of one arm, measured on the client and on all servers together.
 *
 * @param arm name of the arm; loads are named after their table
 * @param phase name of the phase
 * @param repeat 0-based
 * @param operations operations answered well
 * @param failed operations that ended in an error or a time-out
 * @param seconds wall time from the first send to the last answer
 * @param latencies by kind of operation
 * @param server what it cost the servers
 * @param breakdown seconds by part, where the experiment takes time apart; else empty, as in files
 *     that are older than it
 */
public record BlockResult(
    String arm,
    String phase,
    int repeat,
    long operations,
    long failed,
    double seconds,
    Map<String, LatencySummary> latencies,
    ServerCost server,
    Map<String, Double> breakdown) {
  /** Keeps the parts' order. */
  public BlockResult {
    breakdown =
        breakdown == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(breakdown));
  }

  /** A block whose time was not taken apart. */
  public BlockResult(
      String arm,
      String phase,
      int repeat,
      long operations,
      long failed,
      double seconds,
      Map<String, LatencySummary> latencies,
      ServerCost server) {
    this(arm, phase, repeat, operations, failed, seconds, latencies, server, Map.of());
  }

  /** Operations answered well per second. */
  public double operationsPerSecond() {
    return seconds == 0 ? 0 : operations / seconds;
  }

  /** The latencies of all operations of some blocks in one histogram, microseconds. */
  public static Histogram mergedLatencies(List<BlockResult> blocks) {
    Histogram merged = new Histogram(3);
    blocks.forEach(block -> block.latencies().values().forEach(kind -> merged.add(kind.decode())));
    return merged;
  }
}
