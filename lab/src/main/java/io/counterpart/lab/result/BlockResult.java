package io.counterpart.lab.result;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * One block: operations of one arm, measured on the client and on all nodes together.
 *
 * @param arm name of the arm; loads are named after their table
 * @param phase name of the phase
 * @param repeat 0-based
 * @param operations operations answered well
 * @param failed operations that ended in an error or a time-out
 * @param seconds wall time from the first send to the last answer
 * @param latencies by kind of operation
 * @param server what it cost the servers
 * @param breakdown seconds of the servers' threads by part, where the experiment takes time apart;
 *     else empty, as in files that are older than it
 * @param secondsByPart of a recovery: {@value #MERKLE} (trees built and compared, nothing
 *     streamed), {@value #STREAM} (at least one stream under way) and {@value #OTHER} add up to its
 *     time; {@value #VERIFY} comes on top. Empty for blocks without one, as in older files
 * @param bytesReceived of a recovery, by how they were streamed: {@value #WHOLE} sstables or
 *     {@value #SECTIONS} of them. Empty likewise
 * @param counters operations and bytes of the memory tier by their names, see {@link Counters};
 *     empty for blocks of tables, as in older files
 */
public record BlockResult(
    String arm,
    String phase,
    int repeat,
    long operations,
    long failed,
    double seconds,
    Map<String, LatencySummary> latencies,
    NodeCost server,
    Map<String, Double> breakdown,
    Map<String, Double> secondsByPart,
    Map<String, Long> bytesReceived,
    Map<String, Long> counters) {
  /** Part of a recovery: Merkle trees. */
  public static final String MERKLE = "merkle";

  /** Part of a recovery: streams. */
  public static final String STREAM = "stream";

  /** Part of a recovery: neither trees nor streams. */
  public static final String OTHER = "other";

  /** The comparison of all replicas after a recovery, which is not part of its time. */
  public static final String VERIFY = "verify";

  /** Bytes of sstables that came as they were (zero-copy). */
  public static final String WHOLE = "whole";

  /** Bytes of sections of sstables, which the receiver writes anew. */
  public static final String SECTIONS = "sections";

  private static final String READ = "read";
  private static final double SECONDS_A_MINUTE = 60;

  /** Fills in what older files lack. */
  public BlockResult {
    latencies = latencies == null ? Map.of() : latencies;
    breakdown =
        breakdown == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(breakdown));
    secondsByPart = secondsByPart == null ? Map.of() : secondsByPart;
    bytesReceived = bytesReceived == null ? Map.of() : bytesReceived;
    counters =
        counters == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(counters));
  }

  /** A block whose time was not taken apart, without a recovery. */
  public BlockResult(
      String arm,
      String phase,
      int repeat,
      long operations,
      long failed,
      double seconds,
      Map<String, LatencySummary> latencies,
      NodeCost server) {
    this(
        arm,
        phase,
        repeat,
        operations,
        failed,
        seconds,
        latencies,
        server,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  /** The same block with what a recovery that ran meanwhile took. */
  public BlockResult withParts(Map<String, Double> parts, Map<String, Long> received) {
    return with(breakdown, parts, received, counters);
  }

  /** The same block with where the time of the servers' threads went. */
  public BlockResult withBreakdown(Map<String, Double> parts) {
    return with(parts, secondsByPart, bytesReceived, counters);
  }

  /** The same block with what the memory tier counted meanwhile. */
  public BlockResult withCounters(Map<String, Long> counted) {
    return with(breakdown, secondsByPart, bytesReceived, counted);
  }

  /** The same block with more counters. */
  public BlockResult plusCounters(Map<String, Long> more) {
    Map<String, Long> all = new LinkedHashMap<>(counters);
    all.putAll(more);
    return withCounters(all);
  }

  private BlockResult with(
      Map<String, Double> timeByPart,
      Map<String, Double> recoveryByPart,
      Map<String, Long> received,
      Map<String, Long> counted) {
    return new BlockResult(
        arm,
        phase,
        repeat,
        operations,
        failed,
        seconds,
        latencies,
        server,
        timeByPart,
        recoveryByPart,
        received,
        counted);
  }

  /** The same block with the percentiles of its latencies alone. */
  BlockResult withoutHistograms() {
    Map<String, LatencySummary> summaries = new LinkedHashMap<>();
    latencies.forEach((kind, latency) -> summaries.put(kind, latency.withoutHistogram()));
    return new BlockResult(
        arm,
        phase,
        repeat,
        operations,
        failed,
        seconds,
        summaries,
        server,
        breakdown,
        secondsByPart,
        bytesReceived,
        counters);
  }

  /** A counter; 0 if the block has none of this name. */
  public long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }

  /** Bytes of the block's work per second, {@link Counters#BYTES}; 0 if they were not counted. */
  public double bytesPerSecond() {
    return seconds == 0 ? 0 : counter(Counters.BYTES) / seconds;
  }

  /** Seconds of the recovery: all parts but the comparison at its end. */
  public double recoverySeconds() {
    return secondsByPart.entrySet().stream()
        .filter(part -> !part.getKey().equals(VERIFY))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Share of the bytes received that came as whole sstables, 0 to 1; 0 if none came. */
  public double wholeFraction() {
    long all = receivedBytes();
    return all == 0 ? 0 : (double) bytesReceived.getOrDefault(WHOLE, 0L) / all;
  }

  /** Bytes that a recovery received, however they were streamed. */
  public long receivedBytes() {
    return bytesReceived.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * 99th percentile of reads in microseconds; no number without reads, or if more than one in a
   * hundred operations had no answer.
   */
  public double readP99Micros() {
    LatencySummary reads = latencies.get(READ);
    return reads != null && hasQuantiles(READ) ? reads.p99Micros() : Double.NaN;
  }

  /**
   * Whether a kind's quantiles tell of all its operations: there are some, and no more than one in
   * a hundred had no answer.
   */
  public boolean hasQuantiles(String kind) {
    return latencies.containsKey(kind) && failed * 100 <= operations + failed;
  }

  /** Switches of an endpoint at a coordinator in a minute; no number where none was watched. */
  public double switchesPerMinute() {
    long seconds = counter(Counters.SWITCH_SECONDS);
    return seconds == 0
        ? Double.NaN
        : counter(Counters.SWITCHES) * SECONDS_A_MINUTE / (double) seconds;
  }

  /** Operations answered well per second. */
  public double operationsPerSecond() {
    return seconds == 0 ? 0 : operations / seconds;
  }

  /** The blocks of an arm in a phase, by repeat. */
  public static Stream<BlockResult> repeats(List<BlockResult> blocks, String phase, String arm) {
    return blocks.stream()
        .filter(block -> block.phase().equals(phase) && block.arm().equals(arm))
        .sorted(Comparator.comparingInt(BlockResult::repeat));
  }

  /** The latencies of all operations of some blocks in one histogram, microseconds. */
  public static Histogram mergedLatencies(List<BlockResult> blocks) {
    Histogram merged = new Histogram(3);
    blocks.forEach(block -> block.latencies().values().forEach(kind -> merged.add(kind.decode())));
    return merged;
  }
}
