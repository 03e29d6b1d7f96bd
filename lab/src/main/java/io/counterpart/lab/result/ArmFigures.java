package io.counterpart.lab.result;

import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Figures of one arm (one way to compact the same table) in one round; bytes and counts are sums
 * over all nodes.
 *
 * @param bytesFlushed bytes written by flushes, load start to drained
 * @param bytesCompacted bytes written by compactions, splits and merges, load start to drained
 * @param cpuSeconds processor time of all servers, load start to drained
 * @param writeOpsPerSecond acknowledged writes per second of the load phases
 * @param sstablesPerReadMean sstables merged by a CL=ONE read after the drain
 * @param diskBytes live bytes on disk after the drain
 * @param memtableBytesMean memtable memory on and off heap, of all tables, mean of samples a second
 *     apart while loading
 * @param recoverySeconds rebuild of the arm's keyspace on a wiped node
 * @param zeroCopyFraction share of the rebuild's bytes that came as whole files, 0 to 1
 * @param writeAmplification bytes flushed and compacted ÷ (bytes that the user wrote × replication
 *     factor)
 * @param sstablesPerReadMidLoad sstables merged by a CL=ONE read half way through the load, just
 *     after a flush
 * @param sustainedOpsPerSecond acknowledged writes ÷ (load + drain)
 * @param loadSeconds time of the load phases
 * @param drainSeconds time from the last write to the end of the last compaction
 * @param writeP99Millis 99th percentile of write latency while inserting
 * @param sstables sstables after the drain
 * @param files files after the drain
 * @param flushes memtables flushed
 * @param recoveredBytes bytes that the rebuild received
 * @param failedWrites writes that ended in an error or a time-out
 * @param disagreeingReads copies of rows that lacked what another had, in the final check
 */
public record ArmFigures(
    double bytesFlushed,
    double bytesCompacted,
    double cpuSeconds,
    double writeOpsPerSecond,
    double sstablesPerReadMean,
    double diskBytes,
    double memtableBytesMean,
    double recoverySeconds,
    double zeroCopyFraction,
    double writeAmplification,
    double sstablesPerReadMidLoad,
    double sustainedOpsPerSecond,
    double loadSeconds,
    double drainSeconds,
    double writeP99Millis,
    double sstables,
    double files,
    double flushes,
    double recoveredBytes,
    double failedWrites,
    double disagreeingReads) {

  /** Phase of a round: inserts and updates; its cost is counted until the table is drained. */
  public static final String LOAD = "load";

  /** Phase of a round: from the last write to the end of the last compaction. */
  public static final String DRAIN = "drain";

  /** Phase of a round: rebuild of the arm's table on a wiped node. */
  public static final String RECOVERY = "recovery";

  /**
   * Figures of one arm in one round.
   *
   * @throws IllegalArgumentException if one of the three phases is missing
   */
  public static ArmFigures of(List<BlockResult> round) {
    BlockResult load = phase(round, LOAD);
    BlockResult drain = phase(round, DRAIN);
    BlockResult recovery = phase(round, RECOVERY);
    LatencySummary inserts = load.latencies().get("insert");
    long written = load.server().bytesFlushed() + load.server().bytesCompacted();
    return new ArmFigures(
        load.server().bytesFlushed(),
        load.server().bytesCompacted(),
        load.server().cpuSeconds(),
        load.operationsPerSecond(),
        drain.server().sstablesPerRead(),
        drain.counter(Counters.DISK_BYTES),
        load.counter(Counters.MEMTABLE_BYTES),
        recovery.seconds(),
        recovery.wholeFraction(),
        (double) written / load.counter(Counters.REPLICATED_BYTES),
        load.server().sstablesPerRead(),
        load.operations() / (load.seconds() + drain.seconds()),
        load.seconds(),
        drain.seconds(),
        inserts == null ? 0 : inserts.p99Micros() / 1e3,
        drain.counter(Counters.SSTABLES),
        drain.counter(Counters.FILES),
        drain.counter(Counters.FLUSHES),
        recovery.bytesReceived().values().stream().mapToLong(Long::longValue).sum(),
        load.failed(),
        recovery.counter(Counters.DISAGREEING_READS));
  }

  /** Figures of every arm in one round, in the order in which the arms ran. */
  public static Map<String, ArmFigures> byArm(List<BlockResult> round) {
    Map<String, List<BlockResult>> blocks = new LinkedHashMap<>();
    for (BlockResult block : round) {
      blocks.computeIfAbsent(block.arm(), arm -> new ArrayList<>()).add(block);
    }
    Map<String, ArmFigures> figures = new LinkedHashMap<>();
    blocks.forEach((arm, ofArm) -> figures.put(arm, of(ofArm)));
    return figures;
  }

  /** Figures of every round of a bench, in order. */
  public static List<Map<String, ArmFigures>> rounds(LabResult bench) {
    SortedMap<Integer, List<BlockResult>> byRound = new TreeMap<>();
    for (BlockResult block : bench.blocks()) {
      byRound.computeIfAbsent(block.repeat(), round -> new ArrayList<>()).add(block);
    }
    return byRound.values().stream().map(ArmFigures::byArm).toList();
  }

  /** The medians over the rounds that an arm was in, by arm. */
  public static Map<String, ArmFigures> medians(List<Map<String, ArmFigures>> rounds) {
    Map<String, List<ArmFigures>> byArm = new LinkedHashMap<>();
    for (Map<String, ArmFigures> round : rounds) {
      round.forEach((arm, one) -> byArm.computeIfAbsent(arm, name -> new ArrayList<>()).add(one));
    }
    Map<String, ArmFigures> medians = new LinkedHashMap<>();
    byArm.forEach((arm, ofArm) -> medians.put(arm, median(ofArm)));
    return medians;
  }

  private static BlockResult phase(List<BlockResult> round, String phase) {
    return round.stream()
        .filter(block -> block.phase().equals(phase))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("the round has no phase '%s'".formatted(phase)));
  }

  /** The median of each figure on its own over several rounds. */
  public static ArmFigures median(List<ArmFigures> rounds) {
    return new ArmFigures(
        median(rounds, ArmFigures::bytesFlushed),
        median(rounds, ArmFigures::bytesCompacted),
        median(rounds, ArmFigures::cpuSeconds),
        median(rounds, ArmFigures::writeOpsPerSecond),
        median(rounds, ArmFigures::sstablesPerReadMean),
        median(rounds, ArmFigures::diskBytes),
        median(rounds, ArmFigures::memtableBytesMean),
        median(rounds, ArmFigures::recoverySeconds),
        median(rounds, ArmFigures::zeroCopyFraction),
        median(rounds, ArmFigures::writeAmplification),
        median(rounds, ArmFigures::sstablesPerReadMidLoad),
        median(rounds, ArmFigures::sustainedOpsPerSecond),
        median(rounds, ArmFigures::loadSeconds),
        median(rounds, ArmFigures::drainSeconds),
        median(rounds, ArmFigures::writeP99Millis),
        median(rounds, ArmFigures::sstables),
        median(rounds, ArmFigures::files),
        median(rounds, ArmFigures::flushes),
        median(rounds, ArmFigures::recoveredBytes),
        median(rounds, ArmFigures::failedWrites),
        median(rounds, ArmFigures::disagreeingReads));
  }

  private static double median(List<ArmFigures> rounds, ToDoubleFunction<ArmFigures> figure) {
    return Interval.median(rounds, figure);
  }
}
