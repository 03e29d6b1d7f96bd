package io.counterpart.cli.cache;

import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.TextTable;
import io.counterpart.memcached.tier.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tier in the output of {@code cache up} and {@code cache status}.
 *
 * @param shards number of the tier's shards
 * @param unknown shards of which the report has nothing, each with the reason
 * @param coded null of a scheme without a code, and of a proxy that does not answer
 * @param store the persistent store; null without one
 */
record TierView(
    Path home,
    int shards,
    List<String> unknown,
    List<ProxyView> proxies,
    List<ServerView> servers,
    @Nullable CodedView coded,
    @Nullable String store) {

  static TierView of(TierHome home, Tier tier) {
    TierOptions options = TierOptions.parse(tier.options(), home.path());
    int shards = options.proxy().shards();
    List<ProxyView> proxies =
        tier.proxies().parallelStream().map(proxy -> ProxyView.of(proxy, options.proxy())).toList();
    Optional<TierReport> report = RecordedServers.report(tier, home);
    Map<String, ServerReport> known = new LinkedHashMap<>();
    report.ifPresent(told -> told.servers().forEach(server -> known.put(server.address(), server)));
    return new TierView(
        home.path(),
        shards,
        report.map(TierView::unknown).orElse(List.of()),
        proxies,
        // most of the time goes by waiting for those that are down
        options.allServers(tier).parallelStream()
            .map(server -> ServerView.of(server, known.get(server.toString()), shards))
            .toList(),
        report.map(told -> CodedView.of(told, shards, gets(proxies))).orElse(null),
        options.proxy().store().description());
  }

  private static List<String> unknown(TierReport report) {
    return report.shards().stream()
        .filter(shard -> !shard.unknown().isEmpty())
        .map(shard -> "shard %d: %s".formatted(shard.number(), shard.unknown()))
        .toList();
  }

  /** Keys that clients have read through all proxies; null if a proxy does not answer. */
  private static @Nullable Long gets(List<ProxyView> proxies) {
    long sum = 0;
    for (ProxyView proxy : proxies) {
      Long gets = proxy.gets();
      if (gets == null) {
        return null;
      }
      sum += gets;
    }
    return sum;
  }

  boolean allUp() {
    return proxies.stream().allMatch(ProxyView::isUp)
        && servers.stream().allMatch(ServerView::isUp)
        && isOwned();
  }

  /**
   * Whether the owner, or that of each shard, tells of the tier's objects, or a proxy forwards to
   * one that cannot be asked from here; without a code there is none.
   */
  private boolean isOwned() {
    return coded != null && hasAllShards()
        || proxies.get(0).code() == null
        || proxies.stream().anyMatch(ProxyView::isFollower);
  }

  private boolean hasAllShards() {
    return shards == 1
        || servers.stream().map(ServerView::shard).filter(Objects::nonNull).distinct().count()
            == shards;
  }

  String text() {
    List<String> parts = new ArrayList<>();
    TextTable serving = new TextTable(ProxyView.HEADER);
    proxies.forEach(proxy -> serving.row(proxy.cells()));
    parts.add(serving.render());
    parts.add("");
    TextTable table = new TextTable(ServerView.header(shards));
    servers.forEach(server -> table.row(server.cells(shards)));
    parts.add(table.render());
    if (coded != null) {
      parts.add("");
      parts.addAll(coded.lines());
    }
    if (store != null) {
      parts.add("persistent store: " + store);
    } else if (coded != null) {
      parts.add(coded.loss());
    }
    if (!isOwned()) {
      parts.add(
          shards == 1
              ? "no proxy owns the tier now, or it does not answer: requests are refused"
              : "a shard of the tier has no owner now, or its owner does not answer: figures lack it,"
                  + " and without an owner requests for its keys are refused");
    }
    parts.addAll(unknown);
    proxies.stream()
        .filter(proxy -> !proxy.isUp())
        .forEach(proxy -> parts.add("proxy " + proxy.address() + ": " + proxy.reason()));
    servers.stream()
        .filter(server -> !server.isUp())
        .forEach(server -> parts.add(server.address() + ": " + server.reason()));
    return String.join(System.lineSeparator(), parts);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("home", home.toString());
    json.put("allUp", allUp());
    json.put("proxies", proxies);
    json.put("servers", servers);
    if (coded != null) {
      json.put("coded", coded);
    }
    if (store != null) {
      json.put("store", store);
    }
    return json;
  }
}
