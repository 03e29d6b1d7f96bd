package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.memcached.ItemFiles;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the record of a tier's servers in step with its proxy. A server enters the record before
 * the proxy hears of it and leaves it after the proxy has let it go. So after any interruption the
 * record has every server that the proxy uses, and further entries are superfluous. The caller
 * holds the tier's lock.
 */
final class RecordedServers {
  private RecordedServers() {}

  /**
   * Stops and forgets servers that the proxy neither uses nor is about to use.
   *
   * @return the actions, a line each; none if the proxy does not answer
   */
  static List<String> settle(Tier tier, TierHome home) {
    if (!tier.isProxyAlive()) {
      return List.of();
    }
    try (TierControl control = TierControl.connect(tier, home)) {
      return settle(tier, home, control.report());
    } catch (IOException silent) {
      return List.of("the servers of the tier are not told: " + silent.getMessage());
    }
  }

  static List<String> settle(Tier tier, TierHome home, TierReport report) {
    if (report.coded() == null || report.change() != null) {
      return List.of();
    }
    TierOptions options = TierOptions.parse(tier.options(), home.path());
    if (!hasAllShards(report, options.proxy().shards())) {
      // servers that it lacks may be of a shard whose owner does not answer
      return List.of("the servers of a shard are not told, since its owner does not answer");
    }
    List<String> used = report.servers().stream().map(ServerReport::address).toList();
    return tier.servers().isEmpty()
        ? settleOthers(tier, options, used)
        : settleOwn(tier, options, used);
  }

  /** Whether a report tells of every shard; each has servers. */
  private static boolean hasAllShards(TierReport report, int shards) {
    return report.servers().stream().mapToInt(ServerReport::shard).distinct().count() >= shards;
  }

  private static List<String> settleOwn(Tier tier, TierOptions options, List<String> used) {
    List<Integer> superfluous =
        tier.servers().stream()
            .map(TierServer::port)
            .filter(port -> !used.contains(TierOptions.address(port).toString()))
            .toList();
    if (superfluous.isEmpty()) {
      return List.of();
    }
    tier.removeServers(superfluous);
    deleteItems(options, superfluous);
    recordCount(tier);
    return List.of(
        "memcached has ended, since no ring has it, on port "
            + superfluous.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  /**
   * Stops a tier's processes and forgets them, with the items that its servers have kept.
   *
   * @return number of processes that ran
   */
  static int stop(Tier tier, TierHome home) {
    List<Integer> ports = ports(tier);
    int stopped = tier.stop();
    if (tier.options().containsKey("--warm")) {
      deleteItems(TierOptions.parse(tier.options(), home.path()), ports);
    }
    return stopped;
  }

  /**
   * Deletes what its servers have kept, if no process of a tier runs. It begins anew: an item may
   * be of before a newer one on another server, or of another table.
   */
  static void forgetKept(Tier tier, TierOptions options) {
    if (!tier.isRunning()) {
      deleteItems(options, ports(tier));
    }
  }

  private static List<Integer> ports(Tier tier) {
    return tier.servers().stream().map(TierServer::port).toList();
  }

  /** Deletes the kept items of stopped servers. */
  private static void deleteItems(TierOptions options, List<Integer> ports) {
    ItemFiles files = options.spec().itemFiles();
    if (files != null) {
      files.delete(ports);
    }
  }

  private static List<String> settleOthers(Tier tier, TierOptions options, List<String> used) {
    Set<String> recorded =
        options.proxy().servers().stream()
            .map(ServerAddress::toString)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (recorded.equals(Set.copyOf(used))) {
      return List.of();
    }
    // in the order in which they were named
    Set<String> servers = new LinkedHashSet<>(recorded);
    servers.retainAll(used);
    servers.addAll(used);
    record(tier, "--server", String.join(",", servers));
    return List.of("the servers that the tier knows are recorded: " + String.join(", ", servers));
  }

  /** Records somebody else's servers before the proxy hears of them. */
  static void recordMore(Tier tier, TierOptions options, List<ServerAddress> more) {
    List<ServerAddress> all = new ArrayList<>(options.proxy().servers());
    all.addAll(more);
    record(
        tier,
        "--server",
        all.stream().map(ServerAddress::toString).collect(Collectors.joining(",")));
  }

  /** Records the present number of a tier's own servers. */
  static void recordCount(Tier tier) {
    record(tier, "--servers", String.valueOf(tier.servers().size()));
  }

  private static void record(Tier tier, String option, String value) {
    Map<String, String> options = new LinkedHashMap<>(tier.options());
    options.put(option, value);
    tier.setOptions(options);
  }

  /** The state of the tier according to its proxy; empty if that does not answer. */
  static Optional<TierReport> report(Tier tier, TierHome home) {
    if (!tier.isProxyAlive()) {
      return Optional.empty();
    }
    try (TierControl control = TierControl.connect(tier, home)) {
      return Optional.of(control.report());
    } catch (IOException silent) {
      return Optional.empty();
    }
  }
}
