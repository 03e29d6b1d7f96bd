package io.counterpart.cache.service;

import io.counterpart.cache.proxy.ProxyStatistics;
import io.netty.buffer.PooledByteBufAllocator;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The proxy's Prometheus metrics. A scrape reads counters that exist anyway; requests pay nothing
 * for it.
 */
final class ServiceMetrics {
  static final String PREFIX = "counterpart_cache_";
  private static final double MILLIS = 1000;

  private final PrometheusRegistry registry = new PrometheusRegistry();

  private ServiceMetrics() {}

  static PrometheusRegistry of(ProxyStatistics statistics, OpenTier tier) {
    ServiceMetrics metrics = new ServiceMetrics();
    metrics.addClients(statistics);
    metrics.addObjects(statistics);
    metrics.addMemory(statistics::memory);
    metrics.addProcess(statistics);
    metrics.registry.register(new TierMetrics(tier));
    return metrics.registry;
  }

  private void addClients(ProxyStatistics statistics) {
    GaugeWithCallback.builder()
        .name(PREFIX + "clients")
        .help("Clients that are connected.")
        .callback(callback -> callback.call((double) statistics.connections()))
        .register(registry);
    counter("connections_total", "Clients that have connected.", statistics::connectionsEver);
    counter(
        "requests_total",
        "Requests of all kinds; one that reads many keys is one.",
        statistics::requests);
    CounterWithCallback.builder()
        .name(PREFIX + "authentications_total")
        .help("Clients that said who they are, by whether they were let in.")
        .labelNames("result")
        .callback(
            callback -> {
              callback.call((double) statistics.authenticated(), "accepted");
              callback.call((double) statistics.refused(), "refused");
            })
        .register(registry);
  }

  private void addObjects(ProxyStatistics statistics) {
    CounterWithCallback.builder()
        .name(PREFIX + "gets_total")
        .help("Keys that were read; unavailable: too many servers were down.")
        .labelNames("result")
        .callback(
            callback -> {
              callback.call((double) statistics.hits(), "hit");
              callback.call((double) statistics.misses(), "miss");
              callback.call((double) statistics.unread(), "unavailable");
            })
        .register(registry);
    counter("stores_total", "Commands that store a value.", statistics::stores);
    counter("touches_total", "Commands that give an object another expiry.", statistics::touches);
    counter("flushes_total", "Commands flush_all.", statistics::flushes);
  }

  private void addMemory(Supplier<ProxyStatistics.MemoryUse> memory) {
    GaugeWithCallback.builder()
        .name(PREFIX + "request_memory_bytes")
        .help("Memory that requests have taken, and that they may take, of a client and in all.")
        .labelNames("what")
        .callback(
            callback -> {
              ProxyStatistics.MemoryUse now = memory.get();
              callback.call((double) now.heldBytes(), "taken");
              callback.call((double) now.totalBytes(), "limit");
              callback.call((double) now.clientBytes(), "client_limit");
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name(PREFIX + "clients_waiting")
        .help("Clients whose requests wait for memory.")
        .callback(callback -> callback.call((double) memory.get().waiting()))
        .register(registry);
    counter(
        "stalled_clients_total",
        "Clients that were closed, as they neither took nor sent a byte and others waited for"
            + " memory.",
        () -> memory.get().closedClients());
  }

  private void addProcess(ProxyStatistics statistics) {
    GaugeWithCallback.builder()
        .name(PREFIX + "start_time_seconds")
        .help("When the proxy began, in seconds since 1970.")
        .callback(callback -> callback.call(statistics.startMillis() / MILLIS))
        .register(registry);
    GaugeWithCallback.builder()
        .name(PREFIX + "memory_bytes")
        .help("Memory of the proxy: Java's heap in use, and buffers outside of it.")
        .labelNames("area")
        .callback(
            callback -> {
              Runtime runtime = Runtime.getRuntime();
              callback.call((double) (runtime.totalMemory() - runtime.freeMemory()), "heap");
              callback.call(
                  (double) PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory(), "buffers");
            })
        .register(registry);
  }

  private void counter(String name, String help, LongSupplier value) {
    CounterWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }
}
