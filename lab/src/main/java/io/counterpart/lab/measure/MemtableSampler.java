package io.counterpart.lab.measure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Samples the memtable memory of one table once a second until closed; its mean is over those
 * samples.
 */
public final class MemtableSampler implements AutoCloseable {
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "memtable-sampler");
            thread.setDaemon(true);
            return thread;
          });
  private final TableProbe probe;
  private long sum;
  private long samples;

  /** Starts sampling. */
  public MemtableSampler(TableProbe probe) {
    this.probe = probe;
    timer.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
  }

  /** Mean bytes over the samples so far, all nodes together; 0 without samples. */
  public synchronized double meanBytes() {
    return samples == 0 ? 0 : (double) sum / samples;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    boolean interrupted = false;
    try {
      timer.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample() {
    long bytes = probe.memtableBytes();
    synchronized (this) {
      sum += bytes;
      samples++;
    }
  }
}
