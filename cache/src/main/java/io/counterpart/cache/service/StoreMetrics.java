package io.counterpart.cache.service;

import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Prometheus metrics of a proxy's persistent store. */
final class StoreMetrics {
  private static final String PREFIX = ServiceMetrics.PREFIX + "store_";

  private final PrometheusRegistry registry;

  private StoreMetrics(PrometheusRegistry registry) {
    this.registry = registry;
  }

  /**
   * @param stores those of all shards, at least one; they have one statistics
   */
  static void register(List<ProxyStore> stores, PrometheusRegistry registry) {
    StoreMetrics metrics = new StoreMetrics(registry);
    metrics.addRequests(stores.get(0).statistics());
    if (stores.get(0).mayWriteBehind()) {
      metrics.gauge(
          "behind_keys",
          "Keys whose last change it has not got yet.",
          () -> ofBehind(stores, WriteBehindStore::entries));
      metrics.gauge(
          "behind_bytes",
          "Heap that these changes take.",
          () -> ofBehind(stores, WriteBehindStore::bytes));
    }
  }

  private static long ofBehind(List<ProxyStore> stores, ToLongFunction<WriteBehindStore> number) {
    return stores.stream()
        .map(ProxyStore::writesBehind)
        .filter(Objects::nonNull)
        .mapToLong(number)
        .sum();
  }

  private void addRequests(StoreStatistics counts) {
    CounterWithCallback.builder()
        .name(PREFIX + "reads_total")
        .help("Reads of the persistent store, by its answer.")
        .labelNames("result")
        .callback(
            callback -> {
              long failed = counts.failedReads();
              long found = counts.found();
              callback.call((double) found, "found");
              callback.call((double) Math.max(0, counts.reads() - found - failed), "absent");
              callback.call((double) failed, "failed");
            })
        .register(registry);
    CounterWithCallback.builder()
        .name(PREFIX + "writes_total")
        .help("Writes and deletions sent to the persistent store, by whether it took them.")
        .labelNames("result")
        .callback(
            callback -> {
              long failed = counts.failedWrites();
              callback.call((double) Math.max(0, counts.writes() - failed), "done");
              callback.call((double) failed, "failed");
            })
        .register(registry);
    CounterWithCallback.builder()
        .name(ServiceMetrics.PREFIX + "answers_total")
        .help("Reads that found an object, by its largest bytes and by what had it.")
        .labelNames("from", "bytes")
        .callback(
            callback ->
                counts
                    .answers()
                    .all()
                    .forEach(
                        size -> {
                          callback.call((double) size.memory(), "memory", size.name());
                          callback.call((double) size.store(), "store", size.name());
                        }))
        .register(registry);
    counter(
        "joined_reads_total", "Reads that took the answer of one under way.", counts::joinedReads);
    counter("fills_total", "Objects that were read from it and put into memory.", counts::fills);
    counter("refused_total", "Requests refused, since too many were under way.", counts::refused);
    gauge(
        "unsettled_keys",
        "Keys whose copy in memory may be out of date: they are read from it.",
        counts::unsettledKeys);
  }

  private void counter(String name, String help, LongSupplier value) {
    CounterWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }

  private void gauge(String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }
}
