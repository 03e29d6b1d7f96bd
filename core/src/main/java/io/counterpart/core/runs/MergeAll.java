package io.counterpart.core.runs;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The paper's policy: a new run that meets S runs merges with all of them into one.
 *
 * <p>Paper: DEPART §4.4.
 *
 * @param maxRuns S; ≥ 1
 */
public record MergeAll(int maxRuns) implements RunPolicy {

  public MergeAll {
    RunPolicy.checkMaxRuns(maxRuns);
  }

  @Override
  public List<Integer> pick(List<Long> runBytes) {
    return runBytes.size() > maxRuns
        ? IntStream.range(0, runBytes.size()).boxed().toList()
        : List.of();
  }

  @Override
  public RunPolicy withMaxRuns(int other) {
    return new MergeAll(other);
  }
}
