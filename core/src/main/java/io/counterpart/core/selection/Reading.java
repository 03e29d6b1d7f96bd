package io.counterpart.core.selection;

import java.util.OptionalDouble;

/**
 * An endpoint's timings at one moment, as one coordinator sees them.
 *
 * @param meanMicros R̄, the mean round trip of its reads; empty without a recent read
 * @param leastMicros 1/μ, the shortest round trip of the last minute; 0 where none is known
 * @param queue q̂, the unexplained queue ({@link EndpointTimings}); 1 and above
 * @param ownWaitMicros what a read of the coordinator itself waits for a thread, if it is this
 *     endpoint: reads that queue, by the pace at which reads end; 0 where none queue, at most 2 s
 * @param silentNanos time without any answer while at least two reads wait, else 0
 * @param answeredNanos monotonic time of the last answer, to a read or a ping
 * @param readNanos monotonic time of the last timing of a read
 */
public record Reading(
    OptionalDouble meanMicros,
    double leastMicros,
    double queue,
    double ownWaitMicros,
    long silentNanos,
    long answeredNanos,
    long readNanos) {

  /**
   * Ψ = R̄ + (q̂³ − 1)/μ, in microseconds, or the wait for a thread if that is longer; a missing R̄
   * counts as 0, since a queue alone is evidence too. Worked: R̄ = 900 µs, 1/μ = 300 µs and q̂ = 3
   * give 900 + 26 · 300 = 8,700 µs.
   */
  public double scoreMicros() {
    double score = meanMicros.orElse(0) + (queue * queue * queue - 1) * leastMicros;
    return Math.max(score, ownWaitMicros);
  }

  /**
   * Whether the score says anything of reads of this kind: some were answered lately, or leave and
   * are not answered. A wait for threads alone is no evidence, since it is that of all kinds
   * together.
   */
  boolean isEvidence() {
    return meanMicros.isPresent() || queue > 2;
  }
}
