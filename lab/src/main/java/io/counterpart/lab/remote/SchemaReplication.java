package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A keyspace's replication, as the schema has it, turned into a {@link Replication}. */
final class SchemaReplication {
  /** The strategies that are known here. */
  static final List<String> KNOWN =
      List.of("SimpleStrategy", "NetworkTopologyStrategy", "PorStrategy");

  private static final String SIMPLE = ".SimpleStrategy";
  private static final String BY_DATACENTER = ".NetworkTopologyStrategy";
  private static final String OURS = "io.counterpart.cassandra.placement.";
  private static final String BY_HASH = OURS + "PorStrategy";

  private SchemaReplication() {}

  /** Whether drivers do not know the strategy; they then have the replicas of no keyspace. */
  static boolean isUnknownToDrivers(KeyspaceMetadata keyspace) {
    return String.valueOf(keyspace.getReplication().get("class")).startsWith(OURS);
  }

  /**
   * The replication of a keyspace; empty if it is not replicated over the ring, or by a strategy
   * that is not known here.
   *
   * @param addresses {@code ip:port} of the nodes by name, by which PorStrategy orders them
   * @throws RunRefusedException if a number of copies is none
   */
  static Optional<Replication> of(KeyspaceMetadata keyspace, Map<String, String> addresses) {
    Map<String, String> options = new TreeMap<>(keyspace.getReplication());
    String strategy = String.valueOf(options.remove("class"));
    boolean byDatacenter = strategy.endsWith(BY_DATACENTER);
    if (!byDatacenter && !strategy.endsWith(SIMPLE) && !strategy.equals(BY_HASH)) {
      return Optional.empty();
    }
    Map<String, Integer> copies = new TreeMap<>();
    options.forEach(
        (option, value) -> copies.put(option, copies(keyspace.getName().asInternal(), value)));
    if (strategy.endsWith(SIMPLE)) {
      return Optional.of(new Replication.Simple(copies.getOrDefault("replication_factor", 1)));
    }
    copies.values().removeIf(count -> count == 0);
    return Optional.of(
        byDatacenter
            ? new Replication.NetworkTopology(copies)
            : new HashOrderedReplication(copies, addresses));
  }

  private static int copies(String keyspace, String value) {
    if (!value.matches("\\d{1,4}")) {
      throw new RunRefusedException(
          "keyspace %s: replication '%s' cannot be planned (transient replicas?)"
              .formatted(keyspace, value));
    }
    return Integer.parseInt(value);
  }
}
