package io.counterpart.lab.measure;

import io.counterpart.lab.result.Sample;
import io.counterpart.lab.workload.PairClient;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * Samples throughput and compaction backlog of one table while a block runs, once a second until
 * closed. A reading is a few attributes by JMX from each node, the same for every arm.
 */
public final class LoadSampler implements AutoCloseable {
  private static final double NANOS = 1e9;

  private final ScheduledExecutorService timer;
  private final String arm;
  private final String phase;
  private final TableProbe probe;
  private final PairClient client;
  private final long runStartNanos;
  private final Consumer<Sample> onSample;
  private long lastNanos = System.nanoTime();
  private long lastAnswered;

  /**
   * Starts sampling.
   *
   * @param runStartNanos {@link System#nanoTime()} of the run's start
   * @param onSample called on the sampler's thread
   */
  public LoadSampler(
      String arm,
      String phase,
      TableProbe probe,
      PairClient client,
      long runStartNanos,
      Consumer<Sample> onSample) {
    this.arm = arm;
    this.phase = phase;
    this.probe = probe;
    this.client = client;
    this.runStartNanos = runStartNanos;
    this.onSample = onSample;
    lastAnswered = client.answered();
    timer = SamplerThreads.everySecond("load-sampler", this::sample);
  }

  private void sample() {
    long now = System.nanoTime();
    long answered = client.answered();
    double perSecond = (answered - lastAnswered) * NANOS / Math.max(1, now - lastNanos);
    lastNanos = now;
    lastAnswered = answered;
    onSample.accept(
        new Sample(
            (now - runStartNanos) / NANOS,
            arm,
            phase,
            perSecond,
            probe.pendingCompactions(),
            probe.bytesCompacted(),
            MemtableSampler.bytesNow(probe.nodes()),
            Map.of()));
  }

  /** Stops; returns when no sample is under way. */
  @Override
  public void close() {
    SamplerThreads.stop(timer);
  }
}
