package io.counterpart.lab.bench;

import io.counterpart.lab.failure.TableRecovery;
import io.counterpart.lab.measure.Footprint;
import io.counterpart.lab.measure.TableCost;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.workload.PhaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The measurement of one arm's load, before any recovery. */
record LoadMeasurement(
    TableCost written,
    Writes writes,
    Duration drain,
    Footprint footprint,
    double memtableBytes,
    double sstablesPerReadMidLoad,
    double sstablesPerReadDrained) {

  /** The three write phases: inserts before and after the read burst, updates. */
  record Writes(PhaseOutcome first, PhaseOutcome second, PhaseOutcome updates) {
    long acknowledged() {
      return first.operations() + second.operations() + updates.operations();
    }

    long failed() {
      return first.failed() + second.failed() + updates.failed();
    }

    double seconds() {
      return (first.nanos() + second.nanos() + updates.nanos()) / 1e9;
    }
  }

  double cpuSeconds() {
    return seconds(written.cpu());
  }

  double writesPerSecond() {
    return writes.acknowledged() / writes.seconds();
  }

  /**
   * The round of one arm as blocks.
   *
   * @param userBytes bytes that the client wrote
   * @param disagreeingReads copies of rows that lacked what another had, in the last check
   */
  List<BlockResult> blocks(
      String arm,
      int round,
      TableRecovery.Outcome recovery,
      long userBytes,
      long disagreeingReads) {
    return List.of(
        load(arm, round)
            .withCounters(
                Map.of(
                    Counters.REPLICATED_BYTES,
                    userBytes * LabCluster.REPLICATION_FACTOR,
                    Counters.MEMTABLE_BYTES,
                    Math.round(memtableBytes))),
        block(arm, ArmFigures.DRAIN, round, seconds(drain), cost(0, 0, 0, sstablesPerReadDrained))
            .withCounters(
                Map.of(
                    Counters.DISK_BYTES, footprint.liveBytes(),
                    Counters.SSTABLES, footprint.sstables(),
                    Counters.FILES, footprint.files(),
                    Counters.FLUSHES, footprint.flushes())),
        block(arm, ArmFigures.RECOVERY, round, recovery.seconds(), recovery.cost())
            .withParts(recovery.secondsByPart(), recovery.bytesReceived())
            .withCounters(Map.of(Counters.DISAGREEING_READS, disagreeingReads)));
  }

  private BlockResult load(String arm, int round) {
    return new BlockResult(
        arm,
        ArmFigures.LOAD,
        round,
        writes.acknowledged(),
        writes.failed(),
        writes.seconds(),
        Map.of("insert", LatencySummary.of(writes.first().latencies().merged())),
        cost(
            cpuSeconds(),
            written.bytesFlushed(),
            written.bytesCompacted(),
            sstablesPerReadMidLoad));
  }

  private static BlockResult block(
      String arm, String phase, int round, double seconds, NodeCost cost) {
    return new BlockResult(arm, phase, round, 0, 0, seconds, Map.of(), cost);
  }

  private static NodeCost cost(
      double cpuSeconds, long bytesFlushed, long bytesCompacted, double sstablesPerRead) {
    return new NodeCost(
        cpuSeconds,
        NodeCost.NOT_MEASURED,
        NodeCost.NOT_MEASURED,
        bytesFlushed,
        bytesCompacted,
        sstablesPerRead,
        0,
        Map.of(),
        0);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
