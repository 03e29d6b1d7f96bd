package io.counterpart.cache.control;

import io.counterpart.cache.backend.ServerAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers to be added to a tier, or to be removed from it.
 *
 * @param servers at least one, each once
 */
public record ServerChange(Kind kind, List<ServerAddress> servers) {

  /** What is to become of the servers. */
  public enum Kind {
    /** They are to be in rings. */
    ADD("adding"),
    /** They are to be in none. */
    REMOVE("removing");

    private final String doing;

    Kind(String doing) {
      this.doing = doing;
    }

    /** As in "adding 2 servers". */
    public String doing() {
      return doing;
    }
  }

  /**
   * @throws IllegalArgumentException with the value and what is legal
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
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException with the text and what is legal
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

  /** In one line, such as {@code add 127.0.0.1:11217}. */
  @Override
  public String toString() {
    return Stream.concat(Stream.of(name(kind)), servers.stream().map(ServerAddress::toString))
        .collect(Collectors.joining(" "));
  }
}
