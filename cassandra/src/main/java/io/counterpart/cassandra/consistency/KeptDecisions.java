package io.counterpart.cassandra.consistency;

import com.google.common.collect.MapMaker;
import io.counterpart.cassandra.consistency.sampling.ReplicaSet;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.cassandra.schema.TableId;

/**
 * Decisions that hold for many reads: those of one table from one replica set at one level, without
 * wishes, of first pages, and of partitions that their sessions did not write. They follow from
 * what changes with looks, gossip and policies, all of it far slower than {@link #KEPT}; gathering
 * that for each read was most of what a decision cost.
 *
 * <p>Thread-safe. Memory: a decision for each table, level and replica set that was read since
 * {@link #forget}.
 */
final class KeptDecisions {
  /** Cassandra takes a second or more to notice that a node is down or joins. */
  static final Duration KEPT = Duration.ofMillis(100);

  // by identity: comparing the nodes would cost each read more
  private final ConcurrentMap<ReplicaSet, ConcurrentMap<Asked, Kept>> decisions =
      new MapMaker().weakKeys().makeMap();

  /** Reads of a table at their clients' level. */
  record Asked(TableId table, ReadLevel level) {}

  private record Kept(ConsistencyPolicy policy, LevelDecision decision, long sinceNanos) {}

  /** The decision about such reads, unless it is old or was made by another policy. */
  Optional<LevelDecision> find(
      ReplicaSet replicas, Asked asked, ConsistencyPolicy policy, long nowNanos) {
    ConcurrentMap<Asked, Kept> ofSet = decisions.get(replicas);
    Kept kept = ofSet == null ? null : ofSet.get(asked);
    return kept != null
            && nowNanos - kept.sinceNanos() < KEPT.toNanos()
            && kept.policy().equals(policy)
        ? Optional.of(kept.decision())
        : Optional.empty();
  }

  /** Keeps a decision that was made by a policy at a time. */
  void keep(
      ReplicaSet replicas,
      Asked asked,
      ConsistencyPolicy policy,
      LevelDecision decision,
      long nowNanos) {
    decisions
        .computeIfAbsent(replicas, unused -> new ConcurrentHashMap<>())
        .put(asked, new Kept(policy, decision, nowNanos));
  }

  /** Forgets all: to be called every second, since replica sets come and go. */
  void forget() {
    decisions.clear();
  }
}
