package io.counterpart.cache.service;

import io.counterpart.cache.proxy.ClientCounts;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.proxy.ProxyStatistics;
import io.netty.buffer.PooledByteBufAllocator;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;

/**
 * The proxy's Prometheus metrics. A scrape reads counters that exist anyway; requests pay nothing
 * for it. Thread-safe.
 */
final class ServiceMetrics implements MultiCollector {
  private static final double MILLIS = 1000;

  private final ProxyStatistics statistics;
  private final OpenTier tier;
  private final List<ProxyStore> stores;

  /**
   * @param stores those of all shards, at least one
   */
  ServiceMetrics(ProxyStatistics statistics, OpenTier tier, List<ProxyStore> stores) {
    this.statistics = statistics;
    this.tier = tier;
    this.stores = stores;
  }

  @Override
  public MetricSnapshots collect() {
    MetricValues values = new MetricValues();
    addClients(statistics.counts(), values);
    addObjects(statistics.counts(), values);
    addMemory(statistics.memory(), values);
    addProcess(values);
    if (stores.get(0).isThere()) {
      StoreMetrics.add(stores, values);
    }
    TierMetrics.add(tier, values);
    return values.all();
  }

  private void addClients(ClientCounts counts, MetricValues values) {
    values.gauge("clients", "Clients that are connected.", statistics.connections());
    values.counter(
        "connections", "Clients that have connected.", counts.sinceStart(Count.TOTAL_CONNECTIONS));
    values.counter(
        "requests",
        "Requests of all kinds; one that reads many keys is one.",
        counts.sinceStart(Count.CMD_TOTAL));
    long refused = counts.sinceStart(Count.AUTH_ERRORS);
    values.counter(
        "authentications",
        "Clients that said who they are, by whether they were let in.",
        "result",
        Map.of("accepted", counts.sinceStart(Count.AUTH_CMDS) - refused, "refused", refused));
  }

  private static void addObjects(ClientCounts counts, MetricValues values) {
    values.counter(
        "gets",
        "Keys that were read; unavailable: too many servers were down.",
        "result",
        Map.of(
            "hit",
            counts.sinceStart(Count.GET_HITS) + counts.sinceStart(Count.GAT_HITS),
            "miss",
            counts.sinceStart(Count.GET_MISSES) + counts.sinceStart(Count.GAT_MISSES),
            "unavailable",
            counts.sinceStart(Count.GET_UNAVAILABLE)));
    values.counter("stores", "Commands that store a value.", counts.sinceStart(Count.CMD_SET));
    values.counter(
        "touches",
        "Commands that give an object another expiry.",
        counts.sinceStart(Count.CMD_TOUCH));
    values.counter("flushes", "Commands flush_all.", counts.sinceStart(Count.CMD_FLUSH));
  }

  private static void addMemory(ProxyStatistics.MemoryUse memory, MetricValues values) {
    values.gauge(
        "request_memory_bytes",
        "Memory that requests have taken, and that they may take, of a client and in all.",
        "what",
        Map.of(
            "taken",
            memory.heldBytes(),
            "limit",
            memory.totalBytes(),
            "client_limit",
            memory.clientBytes()));
    values.gauge("clients_waiting", "Clients whose requests wait for memory.", memory.waiting());
    values.counter(
        "stalled_clients",
        "Clients that were closed, as they neither took nor sent a byte and others waited for"
            + " memory.",
        memory.closedClients());
  }

  private void addProcess(MetricValues values) {
    values.gauge(
        "start_time_seconds",
        "When the proxy began, in seconds since 1970.",
        statistics.startMillis() / MILLIS);
    Runtime runtime = Runtime.getRuntime();
    values.gauge(
        "memory_bytes",
        "Memory of the proxy: Java's heap in use, and buffers outside of it.",
        "area",
        Map.of(
            "heap",
            runtime.totalMemory() - runtime.freeMemory(),
            "buffers",
            PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()));
  }
}
