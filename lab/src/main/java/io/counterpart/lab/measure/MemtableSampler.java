package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Samples the memtable memory of all nodes once a second until closed; its mean is over those
 * samples.
 *
 * <p>All tables of a node together, because they share one pool: what one table takes of it depends
 * on when the pool is full, and so on the others (the compaction history is one).
 */
public final class MemtableSampler implements AutoCloseable {
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "memtable-sampler");
            thread.setDaemon(true);
            return thread;
          });
  private final ConnectedNodes nodes;
  private long sum;
  private long samples;

  /** Starts sampling. */
  public MemtableSampler(ConnectedNodes nodes) {
    this.nodes = nodes;
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
    long bytes = nodes.nodes().stream().mapToLong(this::bytes).sum();
    synchronized (this) {
      sum += bytes;
      samples++;
    }
  }

  private long bytes(Node node) {
    return value(node, "AllMemtablesOnHeapDataSize") + value(node, "AllMemtablesOffHeapDataSize");
  }

  private long value(Node node, String metric) {
    String bean = "org.apache.cassandra.metrics:type=Table,name=" + metric;
    return ((Number) nodes.jmx(node).attribute(bean, "Value")).longValue();
  }
}
