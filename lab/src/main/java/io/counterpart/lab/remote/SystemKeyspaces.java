package io.counterpart.lab.remote;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Cassandra's own keyspaces; a user's may begin so too. Stateless. */
public final class SystemKeyspaces {
  private static final Set<String> NAMES =
      Set.of(
          "system",
          "system_auth",
          "system_distributed",
          "system_schema",
          "system_traces",
          "system_views",
          "system_virtual_schema");

  private SystemKeyspaces() {}

  /** Whether a keyspace is one of them. */
  public static boolean isOne(String keyspace) {
    return NAMES.contains(keyspace);
  }

  /** What the driver is to read of the schema: by default it leaves out {@code system_…}. */
  static List<String> allOthers() {
    // names to leave out alone would leave out all
    return Stream.concat(Stream.of("/.*/"), NAMES.stream().map(name -> "!" + name).sorted())
        .toList();
  }
}
