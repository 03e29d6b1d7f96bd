package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link HeterogeneousStrategy}: a number of copies for each datacenter, and the
 * quorums of writes and reads, which hold in each of them. Every failure names the option, its
 * value and the legal range.
 */
final class HeterogeneousOptions {
  static final String WRITE_QUORUM = "write_quorum";
  static final String READ_QUORUM = "read_quorum";

  private static final String COUNT = "\\d{1,4}";

  private HeterogeneousOptions() {}

  /**
   * The copies by datacenter, as Cassandra's own strategy takes them.
   *
   * @throws ConfigurationException if a number of copies is none
   */
  static Map<String, String> copies(@Nullable Map<String, String> options) {
    Map<String, String> copies = withoutQuorums(options == null ? Map.of() : options);
    copies.forEach(
        (option, value) -> {
          if (!isCount(value)) {
            throw new ConfigurationException(
                ("%s is '%s', legal: a whole number from 0 to 9999 (HeterogeneousStrategy has no"
                        + " transient replicas)")
                    .formatted(option, value));
          }
        });
    String all = copies.get(NetworkTopologyStrategy.REPLICATION_FACTOR);
    if (all != null) {
      throw new ConfigurationException(
          ("replication_factor is '%s', legal: each datacenter by its name, because Cassandra keeps"
                  + " the number of one that has copies already")
              .formatted(all));
    }
    return copies;
  }

  private static Map<String, String> withoutQuorums(Map<String, String> options) {
    Map<String, String> copies = new HashMap<>(options);
    copies.remove(WRITE_QUORUM);
    copies.remove(READ_QUORUM);
    return copies;
  }

  /**
   * Whether some datacenter would keep another number of copies than {@code replication_factor}
   * tells.
   */
  static boolean keepsOthers(
      Map<String, String> options, Map<String, String> previous, String copies) {
    return withoutQuorums(previous).entrySet().stream()
        .filter(each -> !each.getKey().equals(NetworkTopologyStrategy.REPLICATION_FACTOR))
        .filter(each -> !options.containsKey(each.getKey()))
        .anyMatch(
            each ->
                !isCount(each.getValue())
                    || Integer.parseInt(each.getValue()) != Integer.parseInt(copies));
  }

  /** Whether a value is a number of copies or acknowledgements. */
  static boolean isCount(String value) {
    return value.matches(COUNT);
  }

  /**
   * The quotas of each datacenter that has copies.
   *
   * @throws ConfigurationException if a quorum is missing, is no number, or is out of range for the
   *     copies of a datacenter
   */
  static Map<String, EngineQuotas> quotas(@Nullable Map<String, String> options) {
    int writes = quorum(options, WRITE_QUORUM);
    int reads = quorum(options, READ_QUORUM);
    Map<String, EngineQuotas> quotas = new TreeMap<>();
    copies(options)
        .forEach(
            (datacenter, value) -> {
              int copies = Integer.parseInt(value);
              if (copies > 0) {
                quotas.put(datacenter, quotas(datacenter, copies, writes, reads));
              }
            });
    return quotas;
  }

  private static int quorum(@Nullable Map<String, String> options, String option) {
    String value = options == null ? null : options.get(option);
    if (value == null || !isCount(value)) {
      throw new ConfigurationException(
          "%s is %s, legal: a whole number from 1 to the copies of each datacenter"
              .formatted(option, value == null ? "missing" : "'" + value + "'"));
    }
    return Integer.parseInt(value);
  }

  private static EngineQuotas quotas(String datacenter, int copies, int writes, int reads) {
    try {
      return EngineQuotas.of(copies, writes, reads);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          "%s: %s; N is '%s', W %s, R %s"
              .formatted(datacenter, e.getMessage(), datacenter, WRITE_QUORUM, READ_QUORUM),
          e);
    }
  }
}
