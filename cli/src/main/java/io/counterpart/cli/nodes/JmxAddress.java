package io.counterpart.cli.nodes;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a node's JMX. */
public record JmxAddress(String host, int port) {
  /** Cassandra's. */
  public static final int USUAL_PORT = 7199;

  private static final Pattern FORM =
      Pattern.compile("(?<host>[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+])(:(?<port>\\d{1,5}))?");
  private static final int LAST_PORT = 65_535;

  /**
   * @param option names it in messages
   * @param text {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}
   * @param usual the port if it is left out
   * @throws IllegalArgumentException if it is none of these
   */
  public static JmxAddress parse(String option, String text, int usual) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "%s is '%s', not HOST:PORT or [IPv6]:PORT".formatted(option, text));
    }
    String port = matcher.group("port");
    int number = port == null ? usual : Integer.parseInt(port);
    if (number < 1 || number > LAST_PORT) {
      throw new IllegalArgumentException(option + " port is " + number + ", not in 1..65535");
    }
    return new JmxAddress(matcher.group("host"), number);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
