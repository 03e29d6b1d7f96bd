package io.counterpart.cache.control;

import io.counterpart.cache.backend.ServerAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers to be added to a tier, or removed from it.
 *
 * @param servers at least one, each once
 */
public record ServerChange(Kind kind, List<ServerAddress> servers) {

  /** The kind of change. */
  public enum Kind {
    /** Into rings. */
    ADD("adding"),
    /** Out of their rings. */
    REMOVE("removing");

    private final String doing;

    Kind(String doing) {
      this.doing = doing;
    }

    /** The participle, as in "adding 2 servers". */
    public String doing() {
      return doing;
    }
  }

  /**
   * @throws IllegalArgumentException with the value and the legal range
   */
  public ServerChange {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("0 servers, legal: 1 and above");
    }
    Set<ServerAddress> seen = new HashSet<>();
    for (ServerAddress server : servers) {
      if (!seen.add(server)) {
        throw new IllegalArgumentException("server " + server + " twice, legal: each once");
      }
    }
  }

  /**
   * Parses the form of {@link #toString}.
   *
   * @throws IllegalArgumentException with the text and the legal form
   */
  public static ServerChange parse(String text) {
    List<String> words = Stream.of(text.strip().split("\\s+")).toList();
    for (Kind kind : Kind.values()) {
      if (words.get(0).equals(name(kind))) {
        return new ServerChange(kind, words.stream().skip(1).map(ServerAddress::parse).toList());
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "', legal: add HOST:PORT … or remove HOST:PORT …");
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** One line, such as {@code add 127.0.0.1:11217}. */
  @Override
  public String toString() {
    return Stream.concat(Stream.of(name(kind)), servers.stream().map(ServerAddress::toString))
        .collect(Collectors.joining(" "));
  }
}
