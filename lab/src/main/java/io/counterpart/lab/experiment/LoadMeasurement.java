package io.counterpart.lab.experiment;

import io.counterpart.lab.failure.TableRecovery;
import io.counterpart.lab.measure.Footprint;
import io.counterpart.lab.measure.TableCounters;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.workload.PhaseOutcome;
import java.time.Duration;

/** The measurement of one arm's load, before any recovery. */
record LoadMeasurement(
    TableCounters written,
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
    return written.cpu().toNanos() / 1e9;
  }

  double writesPerSecond() {
    return writes.acknowledged() / writes.seconds();
  }

  /** The arm's figures with what its recovery and the last check add. */
  ArmFigures with(TableRecovery.Outcome recovery, long userBytes, long disagreeingReads) {
    double loadSeconds = writes.seconds();
    double drainSeconds = drain.toNanos() / 1e9;
    return new ArmFigures(
        written.bytesFlushed(),
        written.bytesCompacted(),
        cpuSeconds(),
        writesPerSecond(),
        sstablesPerReadDrained,
        footprint.liveBytes(),
        memtableBytes,
        recovery.seconds(),
        recovery.received().wholeFraction(),
        (double) (written.bytesFlushed() + written.bytesCompacted())
            / ((double) userBytes * LabCluster.REPLICATION_FACTOR),
        sstablesPerReadMidLoad,
        writes.acknowledged() / (loadSeconds + drainSeconds),
        loadSeconds,
        drainSeconds,
        writes.first().latencies().percentileMicros(99) / 1e3,
        footprint.sstables(),
        footprint.files(),
        footprint.flushes(),
        recovery.received().wholeBytes() + recovery.received().partialBytes(),
        writes.failed(),
        disagreeingReads);
  }
}
