package io.counterpart.cache.service;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prometheus metrics with their values at one scrape. Not thread-safe. */
final class MetricValues {
  private static final String PREFIX = "counterpart_cache_";

  private final List<MetricSnapshot> all = new ArrayList<>();

  void gauge(String name, String help, Number value) {
    addGauge(name, help, Map.of(Labels.EMPTY, value));
  }

  /** Adds a gauge with a number for each value of a label. */
  void gauge(String name, String help, String label, Map<String, Long> numbers) {
    addGauge(name, help, labelled(label, numbers));
  }

  private void addGauge(String name, String help, Map<Labels, ? extends Number> numbers) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(PREFIX + name).help(help);
    numbers.forEach(
        (labels, number) ->
            gauge.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .value(number.doubleValue())
                    .labels(labels)
                    .build()));
    all.add(gauge.build());
  }

  /** Adds a counter, whose name is given without {@code _total}. */
  void counter(String name, String help, Number value) {
    counter(name, help, Map.of(Labels.EMPTY, value));
  }

  /** Adds a counter with a number for each value of a label. */
  void counter(String name, String help, String label, Map<String, Long> numbers) {
    counter(name, help, labelled(label, numbers));
  }

  /** Adds a counter with a number for each combination of labels. */
  void counter(String name, String help, Map<Labels, ? extends Number> numbers) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(PREFIX + name).help(help);
    numbers.forEach(
        (labels, number) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .value(number.doubleValue())
                    .labels(labels)
                    .build()));
    all.add(counter.build());
  }

  private static Map<Labels, Long> labelled(String label, Map<String, Long> numbers) {
    Map<Labels, Long> labelled = new HashMap<>();
    numbers.forEach((of, number) -> labelled.put(Labels.of(label, of), number));
    return labelled;
  }

  MetricSnapshots all() {
    return new MetricSnapshots(all);
  }
}
