package io.counterpart.cli.cache;

import io.counterpart.cli.console.TextTable;
import io.counterpart.cluster.tier.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A tier as {@code cache up} and {@code cache status} show it. */
record TierView(Path home, ProxyView proxy, List<ServerView> servers) {

  static TierView of(Path home, Tier tier, TierOptions options) {
    return new TierView(
        home,
        ProxyView.of(tier, options.proxy()),
        // most of the time goes by waiting for those that are down
        options.allServers().parallelStream().map(ServerView::of).toList());
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
    return json;
  }
}
