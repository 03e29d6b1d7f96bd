package io.counterpart.cache.backend;

import java.util.Locale;

/**
 * The address of a memcached server.
 *
 * @param host name or address, in lower case
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) implements Comparable<ServerAddress> {
  private static final int DEFAULT_PORT = 11211;
  private static final int MAX_PORT = 65_535;

  /** Validates the components. */
  public ServerAddress {
    host = host.toLowerCase(Locale.ROOT);
    if (host.isBlank() || host.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("server host '%s': must be a name".formatted(host));
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "server port %d: must be 1 to %d".formatted(port, MAX_PORT));
    }
  }

  /**
   * Parses {@code host}, {@code host:port} or {@code [v6]:port}; the default port is {@value
   * #DEFAULT_PORT}.
   *
   * @throws IllegalArgumentException with the text and the legal form
   */
  public static ServerAddress parse(String text) {
    int close = text.lastIndexOf(']');
    int colon = text.indexOf(':', close + 1);
    if (close < 0 && colon != text.lastIndexOf(':')) {
      throw new IllegalArgumentException(
          "server '%s': write an IPv6 address as [address]:port".formatted(text));
    }
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (colon < 0) {
      return new ServerAddress(host, DEFAULT_PORT);
    }
    try {
      return new ServerAddress(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "server '%s': must be HOST:PORT with a port of 1 to %d".formatted(text, MAX_PORT), e);
    }
  }

  @Override
  public int compareTo(ServerAddress other) {
    int byHost = host.compareTo(other.host);
    return byHost != 0 ? byHost : Integer.compare(port, other.port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
