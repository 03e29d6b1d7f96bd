package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.core.staleness.decide.ShadowReads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/** The shadow reads of each table. Thread-safe. */
final class ShadowTables {
  private final ConcurrentMap<Policies.TableName, ShadowReads> byTable = new ConcurrentHashMap<>();

  ShadowReads of(Policies.TableName table) {
    return byTable.computeIfAbsent(table, unused -> new ShadowReads());
  }

  boolean isFrozen(Policies.TableName table, long nowNanos) {
    ShadowReads shadows = byTable.get(table);
    return shadows != null && shadows.isFrozen(nowNanos);
  }

  /** Forgets tables that are gone. */
  void forgetUnless(Predicate<Policies.TableName> exists) {
    byTable.keySet().removeIf(exists.negate());
  }

  Map<Policies.TableName, ShadowReads> all() {
    return Map.copyOf(byTable);
  }
}
