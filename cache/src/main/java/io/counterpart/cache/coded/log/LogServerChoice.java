package io.counterpart.cache.coded.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The choice of the servers for journal entries: of different rings, since the servers of one ring
 * may all be lost together; those first that can be used, then those that answer, then those with
 * memory, then those with the fewest journal bytes.
 */
final class LogServerChoice {
  /**
   * One server.
   *
   * @param ring its ring, 0 to 63
   * @param isLate whether it has not answered for long
   * @param hasMemory whether it may have memory for a journal item
   */
  record Candidate(
      int ring, boolean isUsable, boolean isLate, boolean hasMemory, long journalBytes) {}

  private LogServerChoice() {}

  /**
   * Positions of the chosen servers, the best first.
   *
   * @param count servers wanted; fewer are chosen if there are fewer rings
   */
  static List<Integer> of(List<Candidate> candidates, int count) {
    List<Integer> chosen = new ArrayList<>();
    long rings = 0;
    for (int position : best(candidates)) {
      long ring = 1L << candidates.get(position).ring();
      if (chosen.size() < count && (rings & ring) == 0) {
        rings |= ring;
        chosen.add(position);
      }
    }
    return chosen;
  }

  private static List<Integer> best(List<Candidate> candidates) {
    Comparator<Candidate> best =
        Comparator.comparing((Candidate candidate) -> !candidate.isUsable())
            .thenComparing(Candidate::isLate)
            .thenComparing(candidate -> !candidate.hasMemory())
            .thenComparing(Candidate::journalBytes);
    return IntStream.range(0, candidates.size())
        .boxed()
        .sorted(Comparator.comparing(candidates::get, best))
        .toList();
  }
}
