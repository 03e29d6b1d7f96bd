package io.counterpart.cache.service;

import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prometheus metrics of a tier. One report at each scrape serves all of them. No state. */
final class TierMetrics {
  private static final Logger logger = LoggerFactory.getLogger(TierMetrics.class);

  private TierMetrics() {}

  /** Adds them to others. */
  static void add(OpenTier tier, MetricValues values) {
    addProxy(tier, values);
    try {
      tier.ownReport().ifPresent(report -> addReport(report, values));
    } catch (IOException e) {
      logger.warn("metrics without those of the tier: {}", e.getMessage());
    }
  }

  private static void addProxy(OpenTier tier, MetricValues values) {
    ForwardStatistics forwarded = tier.forwarded();
    if (forwarded == null) {
      return;
    }
    values.gauge(
        "owner",
        "Number of the tier's shards that this proxy owns; it forwards to the owners of others.",
        tier.shardsOwned());
    values.counter(
        "forwarded",
        "Operations for another proxy to do: refused, if none was known in time.",
        "result",
        Map.of(
            "answered",
            forwarded.answered().sum(),
            "unanswered",
            forwarded.unanswered().sum(),
            "refused",
            forwarded.refused().sum()));
  }

  private static void addReport(TierReport report, MetricValues values) {
    addServers(report.servers(), values);
    CodedReport coded = report.coded();
    if (coded != null) {
      addGauges(coded, values);
      addCounters(coded, values);
      long toMove = report.change() == null ? 0 : report.change().stripesLeft();
      values.gauge(
          "stripes_left",
          "Stripes that repair, or a change of servers, has still to look at.",
          "work",
          Map.of("restore", coded.stripesToRestore(), "move", toMove));
    }
  }

  private static void addServers(List<ServerReport> servers, MetricValues values) {
    Map<String, Long> byState = new HashMap<>();
    Stream.of("up", "restoring", "joining", "down").forEach(state -> byState.put(state, 0L));
    Map<String, Long> used = new HashMap<>();
    Map<String, Long> losses = new HashMap<>();
    for (ServerReport server : servers) {
      byState.merge(server.state(), 1L, Long::sum);
      used.put(server.address(), server.isUsed() ? 1L : 0L);
      losses.put(server.address(), server.losses());
    }
    values.gauge("servers", "Servers by how they are doing.", "state", byState);
    values.gauge("server_up", "Whether the proxy uses the server.", "server", used);
    values.counter(
        "server_losses", "How often the connection to the server was lost.", "server", losses);
  }

  private static void addGauges(CodedReport coded, MetricValues values) {
    values.gauge(
        "rings",
        "Rings by whether all of their servers are used.",
        "state",
        Map.of("up", (long) coded.ringsUp(), "down", (long) coded.ringsDown()));
    values.gauge(
        "stripes",
        "Stripes by whether their parity is encoded.",
        "state",
        Map.of("open", (long) coded.openStripes(), "sealed", (long) coded.sealedStripes()));
    values.gauge("slots", "Slots that stripes have for objects.", coded.slots());
    values.gauge(
        "objects", "Objects, expired ones that are still there included.", coded.objects());
    values.gauge("index_bytes", "Memory of the indexes, outside the heap.", coded.indexBytes());
    values.gauge("metadata_log_bytes", "The metadata log on disk.", coded.logBytes());
    values.gauge(
        "metadata_copies",
        "Machines that have all metadata that is relied on; 0 without peers.",
        coded.metadataCopies());
    values.gauge("journal_bytes", "Journals on servers, all copies.", coded.journalBytes());
    values.gauge(
        "eviction_age_seconds",
        "How long the objects evicted last were in their stripe.",
        coded.evictionAgeSeconds());
  }

  private static void addCounters(CodedReport coded, MetricValues values) {
    values.counter(
        "degraded_reads",
        "Objects that were not on their server, by whether they could be decoded.",
        "result",
        Map.of("decoded", coded.degradedReads(), "failed", coded.failedReads()));
    values.counter("lost_objects", "Objects of which too much was lost.", coded.lostObjects());
    values.counter(
        "restored_objects", "Objects that repair has brought back.", coded.restoredObjects());
    values.counter(
        "restored_parity", "Parity chunks that repair has encoded.", coded.restoredParity());
    values.counter("moved_objects", "Objects that changes of servers moved.", coded.movedObjects());
    values.counter(
        "emptied_stripes",
        "Stripes that were freed after their last objects had got slots of others.",
        coded.emptiedStripes());
    values.counter(
        "emptied_stripes_objects",
        "Objects that got slots of other stripes, so that theirs could be freed.",
        coded.objectsOfEmptied());
    values.counter(
        "reaped_objects",
        "Objects that were deleted as they had expired, though nobody asked for them.",
        coded.reapedObjects());
    values.counter(
        "evicted_objects", "Objects that left because servers were full.", coded.evictedObjects());
    values.counter(
        "evicted_seconds",
        "Seconds that evicted objects were in their stripes, added up.",
        coded.evictedSeconds());
    values.counter(
        "stayed_objects",
        "Objects that moved to another stripe because theirs was evicted.",
        coded.stayedObjects());
  }
}
