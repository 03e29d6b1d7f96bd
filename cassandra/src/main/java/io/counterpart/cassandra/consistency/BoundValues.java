package io.counterpart.cassandra.consistency;

import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;

/** The values that a client bound to a statement's markers. Stateless. */
final class BoundValues {
  private BoundValues() {}

  /**
   * Whether there is a value for each marker; Cassandra refuses the statement if not. Values with
   * names are in the markers' order from now on.
   */
  static boolean areComplete(CQLStatement statement, QueryOptions options) {
    options.prepare(statement.getBindVariables());
    return options.getValues().size() == statement.getBindVariables().size();
  }
}
