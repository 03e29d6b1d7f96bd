package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.core.staleness.decide.DecisionReason;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Reads of each table by reason, since the start. Thread-safe; at most {@value #MOST} tables. */
final class DecisionCounts {
  private static final int MOST = 1_024;

  private final ConcurrentMap<Policies.TableName, ConcurrentMap<DecisionReason, LongAdder>> counts =
      new ConcurrentHashMap<>();

  void add(Policies.TableName table, DecisionReason reason) {
    ConcurrentMap<DecisionReason, LongAdder> byReason = counts.get(table);
    if (byReason == null && counts.size() < MOST) {
      byReason = counts.computeIfAbsent(table, unused -> new ConcurrentHashMap<>());
    }
    if (byReason != null) {
      byReason.computeIfAbsent(reason, unused -> new LongAdder()).increment();
    }
  }

  /** Forgets tables that are gone. */
  void forgetUnless(Predicate<Policies.TableName> exists) {
    counts.keySet().removeIf(exists.negate());
  }

  /** By table, then by the reason's text. */
  Map<Policies.TableName, Map<String, Long>> all() {
    Map<Policies.TableName, Map<String, Long>> all = new TreeMap<>();
    counts.forEach(
        (table, byReason) -> {
          Map<String, Long> sums = new TreeMap<>();
          byReason.forEach((reason, count) -> sums.put(reason.text(), count.sum()));
          all.put(table, sums);
        });
    return all;
  }
}
