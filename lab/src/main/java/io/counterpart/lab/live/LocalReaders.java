package io.counterpart.lab.live;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Admits only readers that address this machine by a name that no one else can own, and only to
 * read. Binding to loopback is not enough: a page elsewhere may give its own name the address
 * 127.0.0.1 and then read what this one serves. Any port may be named: a tunnel has its own.
 */
final class LocalReaders extends Filter {
  private static final Pattern LOCAL = Pattern.compile("(127\\.0\\.0\\.1|localhost)(:\\d{1,5})?");

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    // ends the exchange also where the handler fails
    try (exchange) {
      Headers answer = exchange.getResponseHeaders();
      answer.set("Cache-Control", "no-store");
      answer.set("X-Content-Type-Options", "nosniff");
      answer.set("Referrer-Policy", "no-referrer");
      answer.set("Cross-Origin-Resource-Policy", "same-origin");
      answer.set(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
      String host = exchange.getRequestHeaders().getFirst("Host");
      if (host == null || !LOCAL.matcher(host).matches()) {
        exchange.sendResponseHeaders(403, -1);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        answer.set("Allow", "GET");
        exchange.sendResponseHeaders(405, -1);
      } else {
        chain.doFilter(exchange);
      }
    }
  }

  @Override
  public String description() {
    return "reading, from this machine";
  }
}
