package io.counterpart.cli.recover;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a node's JMX. */
record JmxAddress(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?<host>[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+])(:(?<port>\\d{1,5}))?");
  private static final int DEFAULT_PORT = 7199;
  private static final int LAST_PORT = 65_535;

  /**
   * @param text {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}; the port is 7199 if left
   *     out
   * @throws IllegalArgumentException if it is none of these
   */
  static JmxAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("--jmx is '" + text + "', not HOST:PORT");
    }
    String port = matcher.group("port");
    int number = port == null ? DEFAULT_PORT : Integer.parseInt(port);
    if (number < 1 || number > LAST_PORT) {
      throw new IllegalArgumentException("--jmx port is " + number + ", not in 1..65535");
    }
    return new JmxAddress(matcher.group("host"), number);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
