package io.counterpart.cache.service;

import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** Prometheus metrics of a proxy's persistent store. No state. */
final class StoreMetrics {
  private StoreMetrics() {}

  /**
   * Adds them to others.
   *
   * @param stores those of all shards, at least one; they have one statistics
   */
  static void add(List<ProxyStore> stores, MetricValues values) {
    addRequests(stores.get(0).statistics(), values);
    if (stores.get(0).mayWriteBehind()) {
      values.gauge(
          "store_behind_keys",
          "Keys whose last change it has not got yet.",
          ofBehind(stores, WriteBehindStore::entries));
      values.gauge(
          "store_behind_bytes",
          "Heap that these changes take.",
          ofBehind(stores, WriteBehindStore::bytes));
    }
  }

  private static long ofBehind(List<ProxyStore> stores, ToLongFunction<WriteBehindStore> number) {
    return stores.stream()
        .map(ProxyStore::writesBehind)
        .filter(Objects::nonNull)
        .mapToLong(number)
        .sum();
  }

  private static void addRequests(StoreStatistics counts, MetricValues values) {
    long failedReads = counts.failedReads().sum();
    long found = counts.found().sum();
    long absent = Math.max(0, counts.reads().sum() - found - failedReads);
    values.counter(
        "store_reads",
        "Reads of the persistent store, by its answer.",
        "result",
        Map.of("found", found, "absent", absent, "failed", failedReads));
    long failedWrites = counts.failedWrites().sum();
    long done = Math.max(0, counts.writes().sum() - failedWrites);
    values.counter(
        "store_writes",
        "Writes and deletions sent to the persistent store, by whether it took them.",
        "result",
        Map.of("done", done, "failed", failedWrites));
    Map<Labels, Long> answers = new HashMap<>();
    counts
        .answers()
        .all()
        .forEach(
            size -> {
              answers.put(Labels.of("from", "memory", "bytes", size.name()), size.memory());
              answers.put(Labels.of("from", "store", "bytes", size.name()), size.store());
            });
    values.counter(
        "answers", "Reads that found an object, by its largest bytes and by what had it.", answers);
    values.counter(
        "store_joined_reads", "Reads that took the answer of one under way.", counts.joinedReads());
    values.counter(
        "store_fills", "Objects that were read from it and put into memory.", counts.fills());
    values.counter(
        "store_refused", "Requests refused, since too many were under way.", counts.refused());
    values.gauge(
        "store_unsettled_keys",
        "Keys whose copy in memory may be out of date: they are read from it.",
        counts.unsettledKeys());
  }
}
