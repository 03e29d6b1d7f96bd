package io.counterpart.cli.cache;

import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cli.console.TextTable;
import io.counterpart.cluster.tier.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tier as {@code cache up} and {@code cache status} show it.
 *
 * @param coded null of a scheme without a code, and of a proxy that does not answer
 * @param store the persistent store; null without one
 */
record TierView(
    Path home,
    ProxyView proxy,
    List<ServerView> servers,
    @Nullable CodedView coded,
    @Nullable String store) {

  static TierView of(TierHome home, Tier tier) {
    TierOptions options = TierOptions.parse(tier.options(), home.path());
    ProxyView proxy = ProxyView.of(tier, options.proxy());
    Optional<TierReport> report = RecordedServers.report(tier, home);
    Map<String, ServerReport> known = new LinkedHashMap<>();
    report.ifPresent(told -> told.servers().forEach(server -> known.put(server.address(), server)));
    return new TierView(
        home.path(),
        proxy,
        // most of the time goes by waiting for those that are down
        options.allServers(tier).parallelStream()
            .map(server -> ServerView.of(server, known.get(server.toString())))
            .toList(),
        report.map(told -> CodedView.of(told, proxy.gets())).orElse(null),
        options.proxy().store().description());
  }

  boolean allUp() {
    return proxy.isUp() && servers.stream().allMatch(ServerView::isUp);
  }

  String text() {
    List<String> parts = new ArrayList<>();
    parts.add(new TextTable(ProxyView.HEADER).row(proxy.cells()).render());
    parts.add("");
    TextTable table = new TextTable(ServerView.HEADER);
    servers.forEach(server -> table.row(server.cells()));
    parts.add(table.render());
    if (coded != null) {
      parts.add("");
      parts.addAll(coded.lines());
    }
    if (store != null) {
      parts.add("persistent store: " + store);
    } else if (coded != null) {
      parts.add(CodedView.loss(coded.objects()));
    }
    if (proxy.reason() != null) {
      parts.add("proxy: " + proxy.reason());
    }
    servers.stream()
        .filter(server -> !server.isUp())
        .forEach(server -> parts.add(server.address() + ": " + server.reason()));
    return String.join(System.lineSeparator(), parts);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("home", home.toString());
    json.put("allUp", allUp());
    json.put("proxy", proxy);
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
