package io.counterpart.lab.tier.client;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The answers that a client has got, as a sampler sees them. For one writer and one reader. */
public final class ClientWatch {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double SLOW = 99;

  private final SingleWriterRecorder micros = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();
  private Answers before = new Answers(0, 0, 0, 0);

  /**
   * Answers of a time.
   *
   * @param well good ones
   * @param reads answered at all
   * @param hits reads that found their object
   * @param p99Micros 99th percentile of the latencies of all answers; 0 without any
   */
  public record Answers(long well, long reads, long hits, long p99Micros) {}

  /** A read was answered. */
  public void read(boolean isHit, long latencyMicros) {
    micros.recordValue(latencyMicros);
    count(reads);
    if (isHit) {
      count(hits);
      count(answered);
    }
  }

  /** A write was answered. */
  public void wrote(boolean isStored, long latencyMicros) {
    micros.recordValue(latencyMicros);
    if (isStored) {
      count(answered);
    }
  }

  /** The answers since the call before. */
  public Answers since() {
    Histogram latencies = micros.getIntervalHistogram();
    long found = hits.getAcquire(); // before the reads, so that they are no fewer
    Answers now =
        new Answers(
            answered.getOpaque(),
            reads.getOpaque(),
            found,
            latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(SLOW));
    Answers since =
        new Answers(
            now.well() - before.well(),
            now.reads() - before.reads(),
            now.hits() - before.hits(),
            now.p99Micros());
    before = now;
    return since;
  }

  // only one thread writes
  private static void count(AtomicLong counter) {
    counter.setRelease(counter.getPlain() + 1);
  }
}
