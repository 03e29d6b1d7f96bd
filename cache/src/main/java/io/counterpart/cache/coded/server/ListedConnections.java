package io.counterpart.cache.coded.server;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The connections that a server lists, from the lines of its {@code stats conns}. */
final class ListedConnections {
  private static final Pattern LINE =
      Pattern.compile("(\\d+):(addr|secs_since_last_cmd) (?:.*:)?(\\d+)");

  private final Map<Integer, Integer> ports = new HashMap<>();
  private final Map<Integer, Integer> idleSeconds = new HashMap<>();

  /** Takes a line without its first word. */
  void line(String text) {
    Matcher parts = LINE.matcher(text.strip());
    if (parts.matches()) {
      int connection = Integer.parseInt(parts.group(1));
      boolean isAddress = parts.group(2).equals("addr");
      (isAddress ? ports : idleSeconds).put(connection, Integer.parseInt(parts.group(3)));
    }
  }

  /** Idle seconds of each connection, by the port of its client side. */
  Map<Integer, Integer> idleSeconds() {
    Map<Integer, Integer> byPort = new HashMap<>();
    ports.forEach(
        (connection, port) ->
            byPort.merge(port, idleSeconds.getOrDefault(connection, 0), Math::min));
    return byPort;
  }
}
