package io.counterpart.lab.tier.arm;

import com.sun.management.OperatingSystemMXBean;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures the cost of a block by counters at its start and end. Used once, by one thread. */
public final class BlockMeter {
  private static final double NANOS = 1e9;
  private static final int MICRO = 1000;

  private final OpenArm arm;
  private final Map<String, Long> before;
  private final Duration serversBefore;
  private final TierServers.Work workBefore;
  private final long processBefore;

  private BlockMeter(OpenArm arm) throws IOException {
    this.arm = arm;
    before = arm.counted();
    serversBefore = arm.servers().cpu();
    workBefore = arm.servers().work();
    processBefore = processNanos();
  }

  /** Starts measuring. */
  public static BlockMeter begin(OpenArm arm) throws IOException {
    return new BlockMeter(arm);
  }

  /**
   * The work of a block.
   *
   * @param operations successful ones
   * @param failed others
   * @param nanos duration
   * @param latencies by kind of operation
   */
  public record Work(
      long operations, long failed, long nanos, Map<String, LatencySummary> latencies) {}

  /** The tier's counts since the start. */
  public Map<String, Long> counted() throws IOException {
    return ShardCounters.between(before, arm.counted());
  }

  /**
   * Ends the measurement.
   *
   * @param more counters besides those of the tier
   */
  public BlockResult end(String phase, int repeat, Work work, Map<String, Long> more)
      throws IOException {
    long process = processNanos() - processBefore;
    Duration servers = arm.servers().cpu().minus(serversBefore);
    Map<String, Long> counters = new LinkedHashMap<>(counted());
    counters.putAll(more);
    TierServers.Work done = arm.servers().work().minus(workBefore);
    counters.put(Counters.TRAFFIC_BYTES, done.trafficBytes());
    counters.put(Counters.SERVER_COMMANDS, done.commands());
    if (done.evictions() > 0) {
      counters.put(Counters.EVICTIONS, done.evictions());
    }
    counters.put(Counters.PROCESS_CPU_MICROS, process / MICRO);
    return new BlockResult(
            arm.name(),
            phase,
            repeat,
            work.operations(),
            work.failed(),
            work.nanos() / NANOS,
            work.latencies(),
            cost(servers))
        .withCounters(counters);
  }

  /** The cost of servers, without the figures of disks. */
  public static NodeCost cost(Duration servers) {
    return NodeCost.ofCpu(servers);
  }

  private static long processNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
