package io.counterpart.core.selection;

import java.util.OptionalDouble;

/**
 * An endpoint's timings at one moment, as one coordinator sees them.
 *
 * @param meanMicros R̄, the mean round trip of its reads; empty without a recent read
 * @param leastMicros 1/μ, the shortest round trip of the last minute; 0 where none is known
 * @param queue q̂, the unexplained queue ({@link EndpointTimings}); 1 and above
 * @param silentNanos time without any answer while at least two reads wait, else 0
 * @param stuckNanos time in which none of the coordinator's own reads has ended while at least two
 *     wait for a thread, else 0; 0 for other endpoints
 * @param answeredNanos monotonic time of the last answer, to a read or a ping
 * @param readNanos monotonic time of the last timing of a read
 */
public record Reading(
    OptionalDouble meanMicros,
    double leastMicros,
    double queue,
    long silentNanos,
    long stuckNanos,
    long answeredNanos,
    long readNanos) {

  /**
   * Ψ = R̄ + (q̂³ − 1)/μ, in microseconds; a missing R̄ counts as 0, since a queue alone is
   * evidence too. Worked: R̄ = 900 µs, 1/μ = 300 µs and q̂ = 3 give 900 + 26 · 300 = 8,700 µs.
   */
  public double scoreMicros() {
    return meanMicros.orElse(0) + (queue * queue * queue - 1) * leastMicros;
  }

  /** Whether the score says anything: a queue does even where no read was answered lately. */
  boolean isEvidence() {
    return meanMicros.isPresent() || queue > 2;
  }
}
