package io.counterpart.cassandra.placement;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link PorStrategy}: a number of copies for each datacenter. Every failure names
 * the option, its value and the legal range.
 */
final class PorOptions {
  private static final String COPIES = "\\d{1,4}";

  private PorOptions() {}

  /**
   * The options, unless one is illegal.
   *
   * @throws ConfigurationException if a number of copies is none
   */
  static Map<String, String> checked(@Nullable Map<String, String> options) {
    Map<String, String> given = options == null ? Map.of() : options;
    given.forEach(
        (option, value) -> {
          if (!isCopies(value)) {
            throw new ConfigurationException(
                "%s is '%s', legal: a whole number from 0 to 9999 (PorStrategy has no transient"
                        .formatted(option, value)
                    + " replicas)");
          }
        });
    return given;
  }

  /** Whether a value is a number of copies. */
  static boolean isCopies(String value) {
    return value.matches(COPIES);
  }

  /**
   * Refuses unknown datacenters.
   *
   * @throws ConfigurationException naming those that exist
   */
  static void requireDatacenters(Set<String> named, Collection<String> known) {
    Set<String> unknown = new TreeSet<>(named);
    unknown.removeAll(known);
    if (named.isEmpty() || !unknown.isEmpty()) {
      throw new ConfigurationException(
          "datacenters are %s, legal: at least one of %s, or replication_factor for all of them"
              .formatted(named.isEmpty() ? "none" : unknown, new TreeSet<>(known)));
    }
  }

  /** The copies of each datacenter that has any. */
  static Map<String, Integer> copies(NetworkTopologyStrategy strategy) {
    Map<String, Integer> copies = new TreeMap<>();
    for (String datacenter : strategy.getDatacenters()) {
      int count = strategy.getReplicationFactor(datacenter).allReplicas;
      if (count > 0) {
        copies.put(datacenter, count);
      }
    }
    return copies;
  }
}
