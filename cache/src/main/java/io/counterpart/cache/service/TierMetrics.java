package io.counterpart.cache.service;

import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prometheus metrics of a tier. One report at each scrape serves all of them. */
final class TierMetrics implements MultiCollector {
  private static final Logger logger = LoggerFactory.getLogger(TierMetrics.class);

  private final OpenTier tier;

  TierMetrics(OpenTier tier) {
    this.tier = tier;
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> snapshots = new ArrayList<>(ofProxy());
    try {
      tier.ownReport().ifPresent(report -> snapshots.addAll(snapshots(report)));
    } catch (IOException e) {
      logger.warn("metrics without those of the tier: {}", e.getMessage());
    }
    return new MetricSnapshots(snapshots);
  }

  private List<MetricSnapshot> ofProxy() {
    ForwardStatistics forwarded = tier.forwarded();
    if (forwarded == null) {
      return List.of();
    }
    return List.of(
        gauge(
            "owner",
            "Number of the tier's shards that this proxy owns; it forwards to the owners of others.",
            tier.shardsOwned()),
        counter(
            "forwarded",
            "Operations for another proxy to do: refused, if none was known in time.",
            "result",
            Map.of(
                "answered",
                forwarded.answered(),
                "unanswered",
                forwarded.unanswered(),
                "refused",
                forwarded.refused())));
  }

  private static List<MetricSnapshot> snapshots(TierReport report) {
    List<MetricSnapshot> snapshots = new ArrayList<>(ofServers(report.servers()));
    CodedReport coded = report.coded();
    if (coded != null) {
      snapshots.addAll(gauges(coded));
      snapshots.addAll(counters(coded));
      long toMove = report.change() == null ? 0 : report.change().stripesLeft();
      snapshots.add(
          gauge(
              "stripes_left",
              "Stripes that repair, or a change of servers, has still to look at.",
              "work",
              Map.of("restore", coded.stripesToRestore(), "move", toMove)));
    }
    return snapshots;
  }

  private static List<MetricSnapshot> ofServers(List<ServerReport> servers) {
    Map<String, Long> byState = new TreeMap<>();
    Stream.of("up", "restoring", "joining", "down").forEach(state -> byState.put(state, 0L));
    Map<String, Long> used = new TreeMap<>();
    Map<String, Long> losses = new TreeMap<>();
    for (ServerReport server : servers) {
      byState.merge(server.state(), 1L, Long::sum);
      used.put(server.address(), server.isUsed() ? 1L : 0L);
      losses.put(server.address(), server.losses());
    }
    return List.of(
        gauge("servers", "Servers by how they are doing.", "state", byState),
        gauge("server_up", "Whether the proxy uses the server.", "server", used),
        counter(
            "server_losses", "How often the connection to the server was lost.", "server", losses));
  }

  private static List<MetricSnapshot> gauges(CodedReport coded) {
    return List.of(
        gauge(
            "rings",
            "Rings by whether all of their servers are used.",
            "state",
            Map.of("up", (long) coded.ringsUp(), "down", (long) coded.ringsDown())),
        gauge(
            "stripes",
            "Stripes by whether their parity is encoded.",
            "state",
            Map.of("open", (long) coded.openStripes(), "sealed", (long) coded.sealedStripes())),
        gauge("slots", "Slots that stripes have for objects.", coded.slots()),
        gauge("objects", "Objects, expired ones that are still there included.", coded.objects()),
        gauge("index_bytes", "Memory of the indexes, outside the heap.", coded.indexBytes()),
        gauge("metadata_log_bytes", "The metadata log on disk.", coded.logBytes()),
        gauge(
            "metadata_copies",
            "Machines that have all metadata that is relied on; 0 without peers.",
            coded.metadataCopies()),
        gauge("journal_bytes", "Journals on servers, all copies.", coded.journalBytes()),
        gauge(
            "eviction_age_seconds",
            "How long the objects evicted last were in their stripe.",
            coded.evictionAgeSeconds()));
  }

  private static List<MetricSnapshot> counters(CodedReport coded) {
    return List.of(
        counter(
            "degraded_reads",
            "Objects that were not on their server, by whether they could be decoded.",
            "result",
            Map.of("decoded", coded.degradedReads(), "failed", coded.failedReads())),
        counter("lost_objects", "Objects of which too much was lost.", coded.lostObjects()),
        counter(
            "restored_objects", "Objects that repair has brought back.", coded.restoredObjects()),
        counter(
            "restored_parity", "Parity chunks that repair has encoded.", coded.restoredParity()),
        counter("moved_objects", "Objects that changes of servers moved.", coded.movedObjects()),
        counter(
            "emptied_stripes",
            "Stripes that were freed after their last objects had got slots of others.",
            coded.emptiedStripes()),
        counter(
            "emptied_stripes_objects",
            "Objects that got slots of other stripes, so that theirs could be freed.",
            coded.objectsOfEmptied()),
        counter(
            "reaped_objects",
            "Objects that were deleted as they had expired, though nobody asked for them.",
            coded.reapedObjects()),
        counter(
            "evicted_objects",
            "Objects that left because servers were full.",
            coded.evictedObjects()),
        counter(
            "evicted_seconds",
            "Seconds that evicted objects were in their stripes, added up.",
            coded.evictedSeconds()),
        counter(
            "stayed_objects",
            "Objects that moved to another stripe because theirs was evicted.",
            coded.stayedObjects()));
  }

  private static GaugeSnapshot gauge(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name(ServiceMetrics.PREFIX + name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static GaugeSnapshot gauge(
      String name, String help, String label, Map<String, Long> values) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder().name(ServiceMetrics.PREFIX + name).help(help);
    values.forEach(
        (of, value) ->
            gauge.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .value(value)
                    .labels(Labels.of(label, of))
                    .build()));
    return gauge.build();
  }

  private static CounterSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder()
        .name(ServiceMetrics.PREFIX + name)
        .help(help)
        .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static CounterSnapshot counter(
      String name, String help, String label, Map<String, Long> values) {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder().name(ServiceMetrics.PREFIX + name).help(help);
    values.forEach(
        (of, value) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .value(value)
                    .labels(Labels.of(label, of))
                    .build()));
    return counter.build();
  }
}
