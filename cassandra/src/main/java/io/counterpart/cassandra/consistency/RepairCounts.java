package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Reads of each table that were repeated at ALL to repair, since the start. Thread-safe. */
final class RepairCounts {
  private final ConcurrentMap<Policies.TableName, LongAdder> counts = new ConcurrentHashMap<>();

  void add(Policies.TableName table) {
    counts.computeIfAbsent(table, unused -> new LongAdder()).increment();
  }

  long of(Policies.TableName table) {
    LongAdder count = counts.get(table);
    return count == null ? 0 : count.sum();
  }

  /** Forgets tables that are gone. */
  void forgetUnless(Predicate<Policies.TableName> exists) {
    counts.keySet().removeIf(exists.negate());
  }
}
