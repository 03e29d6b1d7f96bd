package io.counterpart.core.selection;

import java.util.OptionalDouble;

/**
 * One endpoint as an operator sees it.
 *
 * @param waiting reads without an answer
 * @param hedgeMicros round trip that {@value #HEDGE_SHARE} of its reads do not exceed; 0 if unknown
 * @param lostShare share of its rows that others serve, if these include the best known endpoint; 0
 *     to 1
 */
public record EndpointState<E>(
    E endpoint,
    Reading reading,
    int waiting,
    double hedgeMicros,
    double lostShare,
    boolean suspect) {
  /** The share of reads after which a second replica is worth asking. */
  public static final double HEDGE_SHARE = 0.95;

  /** Ψ, in microseconds. */
  public double scoreMicros() {
    return reading.scoreMicros();
  }

  /** R̄, in microseconds; empty without a recent read. */
  public OptionalDouble meanMicros() {
    return reading.meanMicros();
  }

  /** 1/μ, in microseconds; 0 if unknown. */
  public double leastMicros() {
    return reading.leastMicros();
  }

  /** The state in one word. */
  public String state() {
    if (suspect) {
      return "suspect";
    }
    if (lostShare > 0) {
      return lostShare < 1 ? "shedding" : "avoided";
    }
    return meanMicros().isPresent() ? "good" : "idle";
  }
}
