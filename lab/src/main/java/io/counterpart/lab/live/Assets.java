package io.counterpart.lab.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Serves the page's files from the jar, and nothing else. Stateless. */
final class Assets implements HttpHandler {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  // one copy of uPlot serves the page and the report
  private static final String UPLOT = "/io/counterpart/lab/report/html/uplot/";

  private static final Map<String, Asset> ASSETS =
      Map.of(
          "/", new Asset("page.html", HTML),
          "/page.css", new Asset("page.css", CSS),
          "/page.js", new Asset("page.js", SCRIPT),
          "/charts.js", new Asset("charts.js", SCRIPT),
          "/format.js", new Asset("format.js", SCRIPT),
          "/ring.js", new Asset("ring.js", SCRIPT),
          "/servers.js", new Asset("servers.js", SCRIPT),
          "/uPlot.min.css", new Asset(UPLOT + "uPlot.min.css", CSS),
          "/uPlot.iife.min.js", new Asset(UPLOT + "uPlot.iife.min.js", SCRIPT));

  private record Asset(String resource, String type) {}

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Asset asset = ASSETS.get(exchange.getRequestURI().getPath());
    if (asset == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    byte[] bytes = read(asset);
    exchange.getResponseHeaders().set("Content-Type", asset.type());
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static byte[] read(Asset asset) throws IOException {
    try (InputStream in = Assets.class.getResourceAsStream(asset.resource())) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + asset.resource());
      }
      return in.readAllBytes();
    }
  }
}
