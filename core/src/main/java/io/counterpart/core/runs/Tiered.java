package io.counterpart.core.runs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A policy that writes less than {@link MergeAll} at the same bound S: when a new run meets S runs,
 * only the smallest runs merge. In ascending order of size, a run joins the merge while it is no
 * larger than the sum of those before it, and in any case until S runs remain. So a large old run
 * is rewritten only once as many bytes have arrived since.
 *
 * <p>With unit-sized arrivals each byte is rewritten about once per S²/2 units, against once per S
 * units for {@link MergeAll}. Deviates from DEPART §4.4, which merges everything.
 *
 * @param maxRuns S; ≥ 1
 */
public record Tiered(int maxRuns) implements RunPolicy {

  public Tiered {
    RunPolicy.checkMaxRuns(maxRuns);
  }

  @Override
  public List<Integer> pick(List<Long> runBytes) {
    if (runBytes.size() <= maxRuns) {
      return List.of();
    }
    List<Integer> ascending =
        IntStream.range(0, runBytes.size())
            .boxed()
            .sorted(Comparator.comparing(runBytes::get))
            .toList();
    int least = runBytes.size() - maxRuns + 1;
    List<Integer> picked = new ArrayList<>();
    long pickedBytes = 0;
    for (int index : ascending) {
      if (picked.size() >= least && runBytes.get(index) > pickedBytes) {
        break;
      }
      picked.add(index);
      pickedBytes += runBytes.get(index);
    }
    return List.copyOf(picked);
  }

  @Override
  public RunPolicy withMaxRuns(int other) {
    return new Tiered(other);
  }
}
