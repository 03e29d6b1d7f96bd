package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.estimate.StaleBounds;
import io.counterpart.core.staleness.estimate.WriteSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The level that the bounds suggest for a read, before safety rules.
 *
 * <p>R* is the smallest level of which the upper bound is at most ε. Levels are tested from the one
 * with the most replicas downwards, up to the first that fails: in this order no test needs a share
 * of δ, since a wrong acceptance ends with the first false one.
 *
 * @param reads replicas that the level waits for
 * @param clientReads replicas that the client's level waits for
 */
record Proposal(ReadLevel level, LevelOutcome outcome, int reads, int clientReads) {
  private static final List<List<ReadLevel>> ANYWHERE = byReplicas(ReadLevel.ONE);
  private static final List<List<ReadLevel>> LOCAL = byReplicas(ReadLevel.LOCAL_ONE);

  boolean raises() {
    return reads > clientReads;
  }

  boolean lowers() {
    return reads < clientReads;
  }

  /** The proposal, or empty without bounds. */
  static Optional<Proposal> of(ConsistencyPolicy policy, ReadRequest request, Evidence evidence) {
    return evidence
        .bounds()
        .map(bounds -> of(policy, request, evidence.health().replicas(), bounds));
  }

  private static Proposal of(
      ConsistencyPolicy policy, ReadRequest request, int replicas, StaleBounds bounds) {
    ReadLevel client = request.clientLevel();
    int clientReads = client.reads(replicas);
    List<ReadLevel> levels = legal(client, replicas);
    ReadLevel strongest = levels.get(levels.size() - 1);
    int needed = needed(levels, replicas, bounds, policy.epsilon());
    if (needed > replicas) {
      return strongest.reads(replicas) <= clientReads
          ? new Proposal(client, LevelOutcome.BOUND_UNMET, clientReads, clientReads)
          : at(strongest, LevelOutcome.BOUND_UNMET, replicas, clientReads);
    }
    if (needed == clientReads) {
      return new Proposal(client, LevelOutcome.CLIENT_LEVEL_SUFFICES, clientReads, clientReads);
    }
    if (needed > clientReads) {
      return at(first(levels, replicas, needed), LevelOutcome.RAISED, replicas, clientReads);
    }
    int floor = policy.floor().map(level -> level.reads(replicas)).orElse(1);
    return needed >= floor
        ? at(first(levels, replicas, needed), LevelOutcome.LOWERED, replicas, clientReads)
        : atFloor(request, levels, replicas, floor);
  }

  private static Proposal atFloor(
      ReadRequest request, List<ReadLevel> levels, int replicas, int floor) {
    ReadLevel client = request.clientLevel();
    int clientReads = client.reads(replicas);
    ReadLevel level = first(levels, replicas, Math.min(floor, clientReads));
    return level.reads(replicas) == clientReads
        ? new Proposal(client, LevelOutcome.CLIENT_LEVEL_SUFFICES, clientReads, clientReads)
        : at(level, LevelOutcome.LOWERED_TO_FLOOR, replicas, clientReads);
  }

  private static Proposal at(ReadLevel level, LevelOutcome outcome, int replicas, int clientReads) {
    return new Proposal(level, outcome, level.reads(replicas), clientReads);
  }

  /** Alternatives of a level that so many replicas can serve, by number of replicas. */
  private static List<ReadLevel> legal(ReadLevel client, int replicas) {
    return (client.isLocal() ? LOCAL : ANYWHERE).get(replicas);
  }

  /** At index n for n replicas: every read asks for them. */
  private static List<List<ReadLevel>> byReplicas(ReadLevel client) {
    List<List<ReadLevel>> all = new ArrayList<>();
    for (int n = 0; n <= WriteSample.MOST_REPLICAS; n++) {
      int replicas = n;
      all.add(
          client.alternatives().stream()
              .filter(level -> level.reads(replicas) <= replicas)
              .sorted(Comparator.comparingInt(level -> level.reads(replicas)))
              .toList());
    }
    return List.copyOf(all);
  }

  private static ReadLevel first(List<ReadLevel> levels, int replicas, int reads) {
    for (ReadLevel level : levels) {
      if (level.reads(replicas) >= reads) {
        return level;
      }
    }
    throw new IllegalStateException(
        "no level of %s asks %d of %d replicas".formatted(levels, reads, replicas));
  }

  /** The fewest replicas that keep the bound, of those a level stands for; else one too many. */
  private static int needed(
      List<ReadLevel> levels, int replicas, StaleBounds bounds, double epsilon) {
    int needed = replicas + 1;
    for (int i = levels.size() - 1; i >= 0; i--) {
      int reads = levels.get(i).reads(replicas);
      if (bounds.reads(reads).high() > epsilon) {
        return needed;
      }
      needed = reads;
    }
    return needed;
  }
}
