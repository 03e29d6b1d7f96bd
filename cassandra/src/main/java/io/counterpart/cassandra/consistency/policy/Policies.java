package io.counterpart.cassandra.consistency.policy;

import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.PolicyText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies of tables, as last read. A refused policy switches its table off: the operator
 * wanted something else than the default. Before the first reading every table is off, so that a
 * restarted node does not raise where it was told not to.
 *
 * <p>Thread-safe: readers get an immutable map; one thread replaces it.
 */
public final class Policies {
  private static final Logger logger = LoggerFactory.getLogger(Policies.class);
  private static final ConsistencyPolicy OFF =
      new ConsistencyPolicy(AdjustmentMode.OFF, 0.01, Optional.empty(), OptionalLong.empty(), 0);

  /** A table by name. */
  public record TableName(String keyspace, String table) implements Comparable<TableName> {
    @Override
    public int compareTo(TableName other) {
      int byKeyspace = keyspace.compareTo(other.keyspace);
      return byKeyspace != 0 ? byKeyspace : table.compareTo(other.table);
    }
  }

  /**
   * A policy as an operator wrote it.
   *
   * @param options column → value, without empty ones
   */
  public record Written(TableName name, Map<String, String> options) {}

  private final ConsistencyPolicy defaults;
  private volatile boolean known;
  private volatile Map<TableName, ConsistencyPolicy> policies = Map.of();
  private volatile Map<TableName, String> refused = Map.of();

  public Policies(ConsistencyPolicy defaults) {
    this.defaults = defaults;
  }

  public ConsistencyPolicy of(String keyspace, String table) {
    return known ? policies.getOrDefault(new TableName(keyspace, table), defaults) : OFF;
  }

  /**
   * Replaces all policies.
   *
   * @param exists whether there is such a table
   */
  public void replace(List<Written> written, BiPredicate<String, String> exists) {
    Map<TableName, ConsistencyPolicy> parsed = new HashMap<>();
    Map<TableName, String> bad = new TreeMap<>();
    for (Written one : written) {
      TableName name = one.name();
      try {
        if (!exists.test(name.keyspace(), name.table())) {
          throw new IllegalArgumentException(
              "table is %s.%s, legal: a table that exists"
                  .formatted(name.keyspace(), name.table()));
        }
        parsed.put(name, PolicyText.parse(one.options(), defaults));
      } catch (IllegalArgumentException e) {
        parsed.put(name, OFF);
        bad.put(name, String.valueOf(e.getMessage()));
      }
    }
    report(bad);
    policies = Map.copyOf(parsed);
    refused = bad;
    known = true;
  }

  private void report(Map<TableName, String> bad) {
    bad.forEach(
        (name, message) -> {
          if (!message.equals(refused.get(name))) {
            logger.warn(
                "Consistency policy of {}.{} refused, reads keep their clients' levels: {}",
                name.keyspace(),
                name.table(),
                message);
          }
        });
  }

  /** Refused policies with the reason. */
  public Map<TableName, String> refused() {
    return refused;
  }

  /** Tables with a policy of their own. */
  public Map<TableName, ConsistencyPolicy> all() {
    return policies;
  }
}
