package io.counterpart.lab.staleness.client;

import io.counterpart.lab.check.TimedWrite;
import io.counterpart.lab.result.LatencySummary;
import java.util.List;

/**
 * The writes of a load; reads are in their cells.
 *
 * @param writes all that were sent
 * @param failed those without an answer, or with an error
 * @param latencies of the others
 * @param seconds from the first send to the last answer
 */
public record PairOutcome(
    List<TimedWrite> writes, long failed, LatencySummary latencies, double seconds) {
  /** Keeps the writes. */
  public PairOutcome {
    writes = List.copyOf(writes);
  }
}
