package io.counterpart.lab.check;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.TableRef;
import java.util.function.LongConsumer;

/**
 * Reads every row from all replicas at once after a recovery, and counts disagreements.
 *
 * <p>A recovered copy that is absent or stale does not change an answer at ALL, but the read then
 * sends it what it lacks: so these messages are counted as well. Cassandra's count of blocking read
 * repairs would not do: it is of reads of single rows alone, and rows are read by ranges here.
 */
public final class AgreementCheck {
  private static final String REPAIRS = "ReadRepairRequests";

  private final ConnectedNodes nodes;

  /** A check on nodes that all serve. */
  public AgreementCheck(ConnectedNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * What the check found.
   *
   * @param rows verdicts on what the reads returned
   * @param disagreements copies of rows that lacked what another had
   */
  public record Outcome(CheckOutcome rows, long disagreements) {}

  /** Checks all rows of a client. */
  public Outcome run(PairClient client, LongConsumer progress) {
    TableRef table = client.table().ref();
    long before = repairs(table);
    CheckOutcome rows = ReadBack.of(client, DefaultConsistencyLevel.ALL, progress);
    return new Outcome(rows, repairs(table) - before);
  }

  /** Rows that reads of the table have sent to copies so far. */
  long repairs(TableRef table) {
    return nodes.nodes().stream()
        .mapToLong(node -> nodes.jmx(node).tableCounter(table.keyspace(), table.table(), REPAIRS))
        .sum();
  }
}
