package io.counterpart.lab.result;

import io.counterpart.lab.stats.Interval;
import java.util.List;
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
 * @param disagreeingReads reads of the final check at which replicas disagreed
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
