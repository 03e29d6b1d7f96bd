package io.counterpart.cassandra.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this coordinator thinks of a node that it reads from.
 *
 * @param endpoint address and port
 * @param reads {@code point} or {@code range}
 * @param state {@code good}, {@code idle}, {@code shedding}, {@code avoided} or {@code suspect}
 * @param lostShare share of the node's rows that other replicas serve, 0 to 1
 * @param switches the last ones, newest first, each with its reason
 */
public record ReplicaReport(
    String endpoint,
    String reads,
    String state,
    Score score,
    double lostShare,
    List<String> switches) {

  /** Checks. */
  public ReplicaReport {
    switches = List.copyOf(switches);
  }

  /**
   * Times in microseconds.
   *
   * @param scoreMicros Ψ
   * @param meanMicros R̄; null without a recent read
   * @param leastMicros 1/μ; 0 if unknown
   * @param waiting reads without an answer
   * @param hedgeMicros p95 of the last half minute; 0 if unknown
   */
  public record Score(
      double scoreMicros,
      @Nullable Double meanMicros,
      double leastMicros,
      int waiting,
      double hedgeMicros) {}
}
