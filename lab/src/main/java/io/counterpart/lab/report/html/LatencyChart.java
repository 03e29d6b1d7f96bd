package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Latency percentiles of one phase and kind of operation, of the repeats' merged histograms.
 *
 * @param nines where the curves have values: −log10(1 − quantile), so 1 is 90 %, 2 is 99 %
 * @param curves one for each arm with such operations
 */
record LatencyChart(String phase, String kind, List<Double> nines, List<Curve> curves) {
  // twenty points from 90 % to 99 % make a smooth curve
  private static final double POINTS_PER_NINE = 20;
  private static final double MICROS = 1e3;

  /**
   * One arm.
   *
   * @param count answers
   * @param millis latency at each of the chart's nines; null where fewer than one answer is slower
   * @param p50 median in ms
   * @param p90 90th percentile in ms, null as above; so are the next two
   * @param max slowest answer in ms
   */
  record Curve(
      String arm,
      long count,
      List<@Nullable Double> millis,
      @Nullable Double p50,
      @Nullable Double p90,
      @Nullable Double p99,
      @Nullable Double p999,
      double max) {}

  static List<LatencyChart> of(MeasuredBlocks blocks) {
    List<LatencyChart> charts = new ArrayList<>();
    for (String phase : blocks.phases()) {
      for (String kind : blocks.kinds(phase)) {
        charts.add(chart(blocks, phase, kind));
      }
    }
    return charts;
  }

  private static LatencyChart chart(MeasuredBlocks blocks, String phase, String kind) {
    List<String> arms = new ArrayList<>();
    List<Histogram> merged = new ArrayList<>();
    for (String arm : blocks.arms(phase)) {
      Histogram histogram = merge(blocks.of(phase, arm), kind);
      if (histogram.getTotalCount() > 0) {
        arms.add(arm);
        merged.add(histogram);
      }
    }
    long most = merged.stream().mapToLong(Histogram::getTotalCount).max().orElse(1);
    List<Double> nines =
        DoubleStream.iterate(0, step -> step / POINTS_PER_NINE <= Math.log10(most), s -> s + 1)
            .mapToObj(step -> step / POINTS_PER_NINE)
            .toList();
    List<Curve> curves = new ArrayList<>();
    for (int i = 0; i < arms.size(); i++) {
      curves.add(curve(arms.get(i), merged.get(i), nines));
    }
    return new LatencyChart(phase, kind, nines, curves);
  }

  private static Histogram merge(List<BlockResult> repeats, String kind) {
    Histogram merged = new Histogram(3);
    for (BlockResult block : repeats) {
      LatencySummary latencies = block.latencies().get(kind);
      if (latencies != null) {
        merged.add(latencies.decode());
      }
    }
    return merged;
  }

  private static Curve curve(String arm, Histogram histogram, List<Double> nines) {
    List<@Nullable Double> millis = new ArrayList<>();
    for (double nine : nines) {
      millis.add(millis(histogram, 1 - Math.pow(10, -nine)));
    }
    return new Curve(
        arm,
        histogram.getTotalCount(),
        millis,
        millis(histogram, 0.5),
        millis(histogram, 0.9),
        millis(histogram, 0.99),
        millis(histogram, 0.999),
        histogram.getMaxValue() / MICROS);
  }

  // a quantile that less than one answer lies above is the maximum under another name
  private static @Nullable Double millis(Histogram histogram, double quantile) {
    boolean known = histogram.getTotalCount() * (1 - quantile) >= 1 - 1e-9;
    return known ? histogram.getValueAtPercentile(quantile * 100) / MICROS : null;
  }
}
