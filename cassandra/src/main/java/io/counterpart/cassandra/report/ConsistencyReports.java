package io.counterpart.cassandra.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this coordinator decided about consistency levels, and what it knows of stale reads. Empty
 * without the query handler. Thread-safe.
 */
public final class ConsistencyReports {
  /** The node's: Cassandra makes the query handler, so nothing else could hand it on. */
  public static final ConsistencyReports NODE = new ConsistencyReports();

  private volatile Optional<Source> source = Optional.empty();

  private ConsistencyReports() {}

  /** Where reports come from. */
  public interface Source {
    /** A row for each table. */
    List<Decisions> decisions();

    /** Predicted probabilities of stale reads. */
    List<Prediction> predictions();

    /** Counts that belong to no table. */
    Node node();
  }

  /**
   * One table's decisions.
   *
   * @param readsByReason since the start
   * @param repairs reads repeated at ALL to repair, since the start
   */
  public record Decisions(
      String keyspace,
      String table,
      Policy policy,
      Map<String, Long> readsByReason,
      Shadows shadows,
      long repairs) {}

  /**
   * The policy in force.
   *
   * @param floor empty if there is none
   * @param refused why the table's own policy was refused; empty if it was not
   */
  public record Policy(
      String mode,
      double epsilon,
      String floor,
      OptionalLong windowMillis,
      double readRepairChance,
      String refused) {}

  /** Shadow reads since the start. */
  public record Shadows(long done, long stale, long freezes, boolean frozen) {}

  /** Nodes that keep some rows of a table together. */
  public record ReplicaSet(String keyspace, String table, String replicas) {}

  /** R replicas read, W written, and the time between. */
  public record Case(int reads, int writes, long afterMillis) {}

  /** Probability of a stale read, with bounds. */
  public record Stale(double predicted, double low, double high) {}

  /**
   * One prediction.
   *
   * @param any of reads that ask any replicas
   * @param worst of reads that always ask those which are late together most often
   */
  public record Prediction(ReplicaSet set, Case when, long samples, Stale any, Stale worst) {}

  /**
   * Of the node.
   *
   * @param failures of this feature, at which reads had their clients' levels
   * @param writesLeftOut of samples, to bound memory
   */
  public record Node(long failures, long writesLeftOut) {}

  /** From now on these are the node's reports. */
  public void publish(Source reports) {
    source = Optional.of(reports);
  }

  /** Empty without the query handler. */
  public Optional<Source> source() {
    return source;
  }
}
