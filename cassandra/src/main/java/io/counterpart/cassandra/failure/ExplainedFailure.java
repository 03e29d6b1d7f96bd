package io.counterpart.cassandra.failure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.exceptions.WriteFailureException;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A failure of a client's request with what the failed nodes say of it. Cassandra's own says {@code
 * UNKNOWN} of a copy whose engine has failed. Drivers that make their messages themselves, as
 * Java's, show Cassandra's.
 */
public final class ExplainedFailure {
  /** The native protocol counts a message's bytes with 16 bits. */
  private static final int MOST_CHARACTERS = 4_000;

  private ExplainedFailure() {}

  /** The same failure, with reasons in its message where there are any. */
  public static RequestFailureException of(
      RequestFailureException failure, CQLStatement statement) {
    return of(failure, tables(statement), StoreFailures.NODE::reason);
  }

  /**
   * As {@link #of(RequestFailureException, CQLStatement)}.
   *
   * @param tables of the request, as {@code keyspace.table}
   * @param reason what a node says of a table
   */
  static RequestFailureException of(
      RequestFailureException failure,
      Collection<String> tables,
      BiFunction<InetAddressAndPort, String, Optional<String>> reason) {
    // others are Cassandra's own refusals; the log of batches is none of the tables
    boolean isRead = failure.getClass() == ReadFailureException.class;
    boolean isWrite =
        failure instanceof WriteFailureException write && write.writeType != WriteType.BATCH_LOG;
    String reasons = isRead || isWrite ? reasons(failure, tables, reason) : "";
    if (reasons.isEmpty()) {
      return failure;
    }
    String message = failure.getMessage() + "; " + reasons;
    RequestFailureException explained =
        isRead
            ? new Read((ReadFailureException) failure, message)
            : new Write((WriteFailureException) failure, message);
    explained.initCause(failure);
    return explained;
  }

  private static String reasons(
      RequestFailureException failure,
      Collection<String> tables,
      BiFunction<InetAddressAndPort, String, Optional<String>> reason) {
    String reasons =
        failure.failureReasonByEndpoint.entrySet().stream()
            .filter(entry -> entry.getValue() == RequestFailureReason.UNKNOWN)
            .map(Map.Entry::getKey)
            .flatMap(
                node ->
                    tables.stream()
                        .flatMap(
                            table ->
                                reason
                                    .apply(node, table)
                                    .map(why -> said(node, table, why))
                                    .stream()))
            .collect(Collectors.joining("; "));
    return reasons.length() <= MOST_CHARACTERS
        ? reasons
        : reasons.substring(0, MOST_CHARACTERS) + "…";
  }

  private static String said(InetAddressAndPort node, String table, String why) {
    return "%s on %s: %s".formatted(table, node.getHostAddress(false), why);
  }

  private static Collection<String> tables(CQLStatement statement) {
    if (statement instanceof SelectStatement read) {
      return List.of(read.keyspace() + "." + read.table());
    }
    if (statement instanceof ModificationStatement write) {
      return List.of(write.keyspace() + "." + write.table());
    }
    if (statement instanceof BatchStatement batch) {
      return batch.getStatements().stream()
          .flatMap(write -> tables(write).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }
    return List.of();
  }

  private static final class Write extends WriteFailureException {
    private final String message;

    Write(WriteFailureException of, String message) {
      super(of.consistency, of.received, of.blockFor, of.writeType, of.failureReasonByEndpoint);
      this.message = message;
    }

    @Override
    public String getMessage() {
      return message;
    }
  }

  private static final class Read extends ReadFailureException {
    private final String message;

    Read(ReadFailureException of, String message) {
      super(of.consistency, of.received, of.blockFor, of.dataPresent, of.failureReasonByEndpoint);
      this.message = message;
    }

    @Override
    public String getMessage() {
      return message;
    }
  }
}
