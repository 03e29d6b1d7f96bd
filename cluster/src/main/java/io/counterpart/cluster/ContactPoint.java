package io.counterpart.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address at which a node answers CQL.
 *
 * @param host name or address, without brackets
 * @param port 1 to 65535
 */
public record ContactPoint(String host, int port) {
  private static final int DEFAULT_PORT = 9042;
  private static final int LAST_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:(?<name>[A-Za-z0-9._-]+)|\\[(?<v6>[0-9a-fA-F:.]+)])(?::(?<port>\\d+))?");

  /**
   * Reads {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}; the port is 9042 if left out.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static ContactPoint parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "contact point '%s': must be HOST, HOST:PORT or [IPv6]:PORT".formatted(text));
    }
    String port = matcher.group("port");
    int number = port == null ? DEFAULT_PORT : port.length() > 5 ? 0 : Integer.parseInt(port);
    if (number < 1 || number > LAST_PORT) {
      throw new IllegalArgumentException(
          "contact point '%s': the port must be 1 to %d".formatted(text, LAST_PORT));
    }
    String name = matcher.group("name");
    return new ContactPoint(name == null ? matcher.group("v6") : name, number);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
