package io.counterpart.lab.check;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.PairClient;
import java.util.function.LongConsumer;

/**
 * Reads every row from all replicas at once after a recovery, and counts disagreements.
 *
 * <p>A recovered copy that is absent or stale does not change an answer at ALL, but the replicas
 * then disagree: so disagreements are counted as well.
 */
public final class AgreementCheck {
  private static final String DISAGREEMENTS =
      "org.apache.cassandra.metrics:type=ReadRepair,name=RepairedBlocking";

  private final ConnectedNodes nodes;

  /** A check on nodes that all serve. */
  public AgreementCheck(ConnectedNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * What the check found.
   *
   * @param rows verdicts on what the reads returned
   * @param disagreements reads at which replicas disagreed
   */
  public record Outcome(CheckOutcome rows, long disagreements) {}

  /** Checks all rows of a client. */
  public Outcome run(PairClient client, LongConsumer progress) {
    long before = disagreements();
    CheckOutcome rows = ReadBack.of(client, DefaultConsistencyLevel.ALL, progress);
    return new Outcome(rows, disagreements() - before);
  }

  private long disagreements() {
    return nodes.nodes().stream()
        .mapToLong(node -> ((Number) nodes.jmx(node).attribute(DISAGREEMENTS, "Count")).longValue())
        .sum();
  }
}
