package io.counterpart.lab.workload;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds by kind of operation, 1 µs to 10 minutes, three significant digits.
 * Percentiles of several runs come from merged histograms, never from averaged percentiles. Never
 * changed once made.
 */
public final class Latencies {
  private final Map<OperationKind, Histogram> histograms;

  Latencies(Map<OperationKind, Histogram> histograms) {
    this.histograms = new EnumMap<>(OperationKind.class);
    histograms.forEach((kind, histogram) -> this.histograms.put(kind, histogram.copy()));
  }

  /** The kinds that were answered, each with a copy of its histogram. */
  public Map<OperationKind, Histogram> byKind() {
    Map<OperationKind, Histogram> copies = new EnumMap<>(OperationKind.class);
    histograms.forEach((kind, histogram) -> copies.put(kind, histogram.copy()));
    return copies;
  }

  /** All kinds together. */
  public Histogram merged() {
    Histogram merged = empty();
    histograms.values().forEach(merged::add);
    return merged;
  }

  static Histogram empty() {
    return new Histogram(Window.MAX_LATENCY_MICROS, Window.SIGNIFICANT_DIGITS);
  }
}
