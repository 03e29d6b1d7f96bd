package io.counterpart.lab.staleness.client;

import io.counterpart.lab.check.OperationHistory;
import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.check.TimedRead;
import io.counterpart.lab.check.TimedWrite;
import io.counterpart.lab.result.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The reads of one cell in one block. Thread-safe. */
public final class CellReads {
  private static final int DIGITS = 3;

  private final int replicas;
  private final List<TimedRead> reads = new ArrayList<>();
  private final Histogram micros = new Histogram(DIGITS);
  private long contacted;
  private long failed;

  /** None yet, of rows with so many replicas. */
  public CellReads(int replicas) {
    this.replicas = replicas;
  }

  /** Replicas of each row. */
  int replicas() {
    return replicas;
  }

  /**
   * A read was answered.
   *
   * @param waitedFor replicas that it waited for
   */
  synchronized void answered(TimedRead read, int waitedFor) {
    reads.add(read);
    micros.recordValue((read.endedNanos() - read.startedNanos()) / 1_000);
    contacted += waitedFor;
  }

  synchronized void failed() {
    failed++;
  }

  /** Those answered. */
  public synchronized int count() {
    return reads.size();
  }

  /** Those that ended in an error. */
  public synchronized long failures() {
    return failed;
  }

  /** Replicas that the reads waited for, together. */
  public synchronized long contacted() {
    return contacted;
  }

  /** From their starts to their ends. */
  public synchronized LatencySummary latencies() {
    return LatencySummary.of(micros);
  }

  /** The verdict on them, given all writes of the block. */
  public synchronized StalenessReport check(List<TimedWrite> writes) {
    OperationHistory history = new OperationHistory();
    writes.forEach(history::add);
    reads.forEach(history::add);
    return history.check();
  }
}
