package io.counterpart.lab.plan;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The measure of a block that a figure compares. */
public enum BlockMeasure {
  /** Operations answered well per second. */
  THROUGHPUT("operations/s", BlockResult::operationsPerSecond),
  /** Time of the block. */
  SECONDS("s", BlockResult::seconds),
  /** Time of a recovery, the comparison at its end left out. */
  RECOVERY_SECONDS("s", BlockResult::recoverySeconds),
  /** Share of the bytes received that came as whole sstables, 0 to 1. */
  WHOLE_SHARE("share of bytes", BlockResult::wholeFraction),
  /** Bytes that a recovery received. */
  BYTES_RECEIVED("bytes", BlockResult::receivedBytes),
  /** Processor time of the nodes. */
  CPU_SECONDS("s", block -> block.server().cpuSeconds()),
  /** Live bytes of the table on disk at the end. */
  DISK_BYTES("bytes", block -> counted(block, Counters.DISK_BYTES)),
  /** Memory of the table's Bloom filters at the end. */
  FILTER_BYTES("bytes", block -> counted(block, Counters.FILTER_BYTES)),
  /** Bytes from disk of an operation; no number where they are not measured. */
  DISK_READ_BYTES("bytes", block -> ofOperation(block, block.server().diskReadBytes())),
  /** Bytes to disk of an operation, background work included; no number where not measured. */
  DISK_WRITTEN_BYTES("bytes", block -> ofOperation(block, block.server().diskWrittenBytes())),
  /** Time of a read on the node that answers it; no number without reads. */
  LOCAL_READ_MICROS(
      "µs",
      block -> counted(block, Counters.LOCAL_READ_MICROS) / counted(block, Counters.LOCAL_READS)),
  /** Bytes of the block's work per second. */
  BYTE_THROUGHPUT("bytes/s", BlockResult::bytesPerSecond),
  /** Mean latency of reads; no number without any, or with too many failed ones. */
  READ_MEAN_MICROS("µs", block -> meanMicros(block, BlockMeasure.READ)),
  /** 99th percentile of reads; no number without any, or with too many failed ones. */
  READ_P99_MICROS("µs", BlockResult::readP99Micros),
  /** Median latency of writes; likewise. */
  WRITE_P50_MICROS("µs", BlockMeasure::writeMedianMicros),
  /**
   * Switches of an endpoint at a coordinator in a minute, on average; no number without such an
   * endpoint.
   */
  SWITCHES_PER_MINUTE("switches/min", BlockResult::switchesPerMinute),
  /** All bytes that went between proxy and servers. */
  TRAFFIC("bytes", block -> block.counter(Counters.TRAFFIC_BYTES)),
  /** Commands that servers executed for an operation, background work included. */
  COMMANDS(
      "commands/operation", block -> counted(block, Counters.SERVER_COMMANDS) / block.operations()),
  /** Mean latency of degraded reads; no number without any. */
  DEGRADED_MICROS("µs", block -> meanMicros(block, BlockMeasure.DEGRADED_READ)),
  /** The same of those that could be decoded. */
  DECODED_MICROS("µs", block -> meanMicros(block, BlockMeasure.DECODED_READ)),
  /** Objects that were decoded for reads. */
  DEGRADED_READS("reads", block -> block.counter(Counters.DEGRADED_READS)),
  /** Bytes of indexes in memory ÷ bytes of users' values. */
  INDEX_SHARE(
      "share of bytes",
      block -> (double) block.counter(Counters.INDEX_BYTES) / block.counter(Counters.OBJECT_BYTES)),
  /** The same with the index files that are mapped into memory. */
  ALL_INDEXES_SHARE(
      "share of bytes",
      block ->
          (double) (block.counter(Counters.INDEX_BYTES) + block.counter(Counters.MAPPED_BYTES))
              / block.counter(Counters.OBJECT_BYTES)),
  /** Bytes of users' values ÷ memory of all servers. */
  USABLE_SHARE(
      "share of bytes",
      block ->
          (double) block.counter(Counters.OBJECT_BYTES) / block.counter(Counters.MEMORY_BYTES));

  /** Kind of operation: a read during scaling that did not find its object on a server. */
  public static final String DEGRADED_READ = "degraded_read";

  /** Kind of operation: such a read whose object was decoded. */
  public static final String DECODED_READ = "decoded_read";

  private static final String READ = "read";
  private static final String UPDATE = "update";

  private final String unit;
  private final ToDoubleFunction<BlockResult> reading;

  BlockMeasure(String unit, ToDoubleFunction<BlockResult> reading) {
    this.unit = unit;
    this.reading = reading;
  }

  public String unit() {
    return unit;
  }

  public double of(BlockResult block) {
    return reading.applyAsDouble(block);
  }

  // no number rather than none of it
  private static double counted(BlockResult block, String name) {
    Long count = block.counters().get(name);
    return count == null ? Double.NaN : count;
  }

  /** No number where the bytes are not measured. */
  private static double ofOperation(BlockResult block, long bytes) {
    return bytes == NodeCost.NOT_MEASURED ? Double.NaN : (double) bytes / block.operations();
  }

  private static double writeMedianMicros(BlockResult block) {
    LatencySummary latencies = latencies(block, UPDATE);
    return latencies == null ? Double.NaN : latencies.decode().getValueAtPercentile(50);
  }

  private static double meanMicros(BlockResult block, String kind) {
    LatencySummary latencies = latencies(block, kind);
    return latencies == null ? Double.NaN : latencies.decode().getMean();
  }

  /** None if too many failed: these have no latency, and are those that took longest. */
  private static @Nullable LatencySummary latencies(BlockResult block, String kind) {
    return block.hasQuantiles(kind) ? block.latencies().get(kind) : null;
  }
}
