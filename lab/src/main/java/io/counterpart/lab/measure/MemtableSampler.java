package io.counterpart.lab.measure;

import io.counterpart.cluster.ObservedNode;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Samples the memtable memory of all nodes once a second until closed; its mean is over those
 * samples.
 *
 * <p>All tables of a node are sampled together, because they share one pool: a table's part of it
 * depends on when the pool is full, and so on the other tables (the compaction history is one).
 */
public final class MemtableSampler implements AutoCloseable {
  private final ScheduledExecutorService timer;
  private final ConnectedNodes nodes;
  private long sum;
  private long samples;

  /** Starts sampling. */
  public MemtableSampler(ConnectedNodes nodes) {
    this.nodes = nodes;
    timer = SamplerThreads.everySecond("memtable-sampler", this::sample);
  }

  /** Mean bytes over the samples so far, all nodes together; 0 without samples. */
  public synchronized double meanBytes() {
    return samples == 0 ? 0 : (double) sum / samples;
  }

  @Override
  public void close() {
    SamplerThreads.stop(timer);
  }

  private void sample() {
    long bytes = bytesNow(nodes);
    synchronized (this) {
      sum += bytes;
      samples++;
    }
  }

  /** Memtable memory now, all nodes together. */
  static long bytesNow(ConnectedNodes nodes) {
    return nodes.nodes().stream()
        .mapToLong(
            node ->
                value(nodes, node, "AllMemtablesOnHeapDataSize")
                    + value(nodes, node, "AllMemtablesOffHeapDataSize"))
        .sum();
  }

  private static long value(ConnectedNodes nodes, ObservedNode node, String metric) {
    String bean = "org.apache.cassandra.metrics:type=Table,name=" + metric;
    return ((Number) nodes.jmx(node).attribute(bean, "Value")).longValue();
  }
}
