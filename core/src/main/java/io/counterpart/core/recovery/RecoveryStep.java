package io.counterpart.core.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The unit of recovery and of resuming: a part of the primary and a part of the redundant ranges,
 * restored side by side. An interrupted step is repeated.
 *
 * @param sources endpoints to stream from, each range from one of them; empty: as Cassandra chooses
 */
public record RecoveryStep(
    List<TokenRange> primary, List<TokenRange> redundant, Set<String> sources) {

  /** Checks and copies. */
  public RecoveryStep {
    primary = List.copyOf(primary);
    redundant = List.copyOf(redundant);
    sources = Set.copyOf(sources);
    if (primary.isEmpty() && redundant.isEmpty()) {
      throw new IllegalArgumentException("a step without ranges");
    }
  }

  /**
   * Cuts both roles into as many parts of neighbouring ranges, so that a sstable that spans
   * neighbours is asked for once. The sources stay.
   *
   * @param parts at least 1; fewer come out where there are fewer ranges
   */
  List<RecoveryStep> cut(int parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("steps is " + parts + ", legal: 1 and above");
    }
    int count = Math.min(parts, Math.max(primary.size(), redundant.size()));
    List<RecoveryStep> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(new RecoveryStep(part(primary, i, count), part(redundant, i, count), sources));
    }
    return steps;
  }

  // the remainder goes to the last parts for both roles, so no part is empty in both
  private static List<TokenRange> part(List<TokenRange> ranges, int index, int count) {
    return ranges.subList(ranges.size() * index / count, ranges.size() * (index + 1) / count);
  }

  /** The ranges of a role. */
  public List<TokenRange> ranges(CopyRole role) {
    return role == CopyRole.PRIMARY ? primary : redundant;
  }

  /** Both roles' ranges. */
  public List<TokenRange> all() {
    return Stream.concat(primary.stream(), redundant.stream()).toList();
  }

  /** Number of ranges. */
  int size() {
    return primary.size() + redundant.size();
  }

  /** Its part of the whole ring. */
  public double ringFraction() {
    return all().stream().mapToDouble(TokenRange::ringFraction).sum();
  }
}
